/** Static pages to hand out: escaped text in a few elements, one style, no script. */
import { escapeXml } from './picture';

const STYLE =
  'body{font:15px/1.5 system-ui,sans-serif;max-width:820px;margin:32px auto;padding:0 16px;color:#15181b}' +
  'table{border-collapse:collapse;margin:12px 0}th,td{border:1px solid #c9c9c1;padding:4px 10px;text-align:left}' +
  'h2{font-size:18px;margin-top:28px;break-after:avoid}table,svg{break-inside:avoid}svg{max-width:100%;height:auto}' +
  'pre{background:#f5f5f2;padding:10px;white-space:pre-wrap;overflow-wrap:anywhere}';

/** A page; its parts are elements made by the functions below. */
export function htmlPage(title: string, parts: string[]): string {
  const name = escapeXml(title);
  const policy = "default-src 'none'; style-src 'unsafe-inline'";
  return (
    '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">' +
    `<meta http-equiv="Content-Security-Policy" content="${policy}">` +
    `<meta name="viewport" content="width=device-width, initial-scale=1"><title>${name}</title><style>${STYLE}</style></head>\n` +
    `<body>\n<h1>${name}</h1>\n${parts.join('\n')}\n</body></html>\n`
  );
}

export function paragraph(text: string, tag: 'p' | 'h2' | 'pre' = 'p'): string {
  return `<${tag}>${escapeXml(text)}</${tag}>`;
}

export function tableHtml(head: string[], rows: string[][]): string {
  const cells = (row: string[], tag: string) => `<tr>${row.map((cell) => `<${tag}>${escapeXml(cell)}</${tag}>`).join('')}</tr>`;
  return `<table><thead>${cells(head, 'th')}</thead><tbody>${rows.map((row) => cells(row, 'td')).join('')}</tbody></table>`;
}
