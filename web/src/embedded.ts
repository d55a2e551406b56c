/** Documents that Python put into the page (`embed_json`, `embed_bytes`): JSON as text, or compressed with gzip. */

/** The document of this name, or null where the page has none. */
export async function readEmbedded<Document>(name: string): Promise<Document | null> {
  const element = document.getElementById(name);
  if (!element) return null;
  const text = element.textContent ?? '';
  if (element.getAttribute('type') === 'application/json') return JSON.parse(text) as Document;
  return JSON.parse(await unpackText(text)) as Document;
}

async function unpackText(base64: string): Promise<string> {
  const packed = Uint8Array.from(atob(base64.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).text();
}
