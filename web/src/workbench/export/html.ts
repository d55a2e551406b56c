/** Static pages to hand out: escaped text in a few elements, one style, no script. */
import { escapeXml } from './picture';

const STYLE =
  'body{font:15px/1.5 system-ui,sans-serif;max-width:820px;margin:32px auto;padding:0 16px;color:#15181b}' +
  'table{border-collapse:collapse;margin:12px 0}th,td{border:1px solid #c9c9c1;padding:4px 10px;text-align:left}' +
  'h2{font-size:18px;margin-top:28px;break-after:avoid}table,svg{break-inside:avoid}svg{max-width:100%;height:auto}' +
  'pre{background:#f5f5f2;padding:10px;white-space:pre-wrap;overflow-wrap:anywhere}';

/** A page; its parts are elements made by the functions below. */
export function htmlPage(title: string, parts: string[]): string {
  const policy = "default-src 'none'; style-src 'unsafe-inline'";
  // Tags are put together here: the script of the workbench must not hold whole ones, which its own page is searched for.
  const head = [
    open('meta', 'charset="utf-8"'),
    open('meta', `http-equiv="Content-Security-Policy" content="${policy}"`),
    open('meta', 'name="viewport" content="width=device-width, initial-scale=1"'),
    element('title', escapeXml(title)),
    element('style', STYLE),
  ];
  const body = [element('h1', escapeXml(title)), ...parts].join('\n');
  return `<!doctype html>\n${element('html', `${element('head', head.join(''))}\n${element('body', body)}`, 'lang="en"')}\n`;
}

export function paragraph(text: string, name: 'p' | 'h2' | 'pre' = 'p'): string {
  return element(name, escapeXml(text));
}

export function tableHtml(head: string[], rows: string[][]): string {
  const cells = (row: string[], name: string) =>
    element('tr', row.map((cell) => element(name, escapeXml(cell))).join(''));
  const body = rows.map((row) => cells(row, 'td')).join('\n');
  return element('table', element('thead', cells(head, 'th')) + element('tbody', body));
}

function open(name: string, attributes = ''): string {
  return `<${name}${attributes && ` ${attributes}`}>`;
}

function element(name: string, content: string, attributes = ''): string {
  return `${open(name, attributes)}${content}</${name}>`;
}
