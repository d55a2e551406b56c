/** Documents that Python put into the page (`embed_json`, `embed_bytes`): JSON as text, or compressed with gzip. */

/** The document of this name, or null where the page has none. */
export async function readEmbedded<Document>(name: string): Promise<Document | null> {
  const element = document.getElementById(name);
  if (!element) return null;
  const text = element.textContent ?? '';
  if (element.getAttribute('type') === 'application/json') return JSON.parse(text) as Document;
  return JSON.parse(await unpack(text).text()) as Document;
}

/** The bytes of this name, unpacked, or null where the page has none. */
export async function readEmbeddedBytes(name: string): Promise<Uint8Array<ArrayBuffer> | null> {
  const element = document.getElementById(name);
  return element && new Uint8Array(await unpack(element.textContent ?? '').arrayBuffer());
}

function unpack(base64: string): Response {
  const packed = Uint8Array.from(atob(base64.trim()), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip')));
}
