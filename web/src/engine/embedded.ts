/** What a page holds in elements of its own: documents and bytes, compressed with gzip and written as base64. */

/** Bytes of the element with this name, unpacked; null where there is none. */
export async function readEmbeddedBytes(name: string): Promise<Uint8Array<ArrayBuffer> | null> {
  const element = document.getElementById(name);
  if (element === null || element.getAttribute('type') !== 'application/octet-stream') {
    return null;
  }
  const packed = Uint8Array.from(atob((element.textContent ?? '').trim()), (letter) => letter.charCodeAt(0));
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(unpacked).arrayBuffer());
}

/** The document of the element with this name, compressed or not; null where there is none. */
export async function readEmbeddedJson<T>(name: string): Promise<T | null> {
  const element = document.getElementById(name);
  if (element === null) {
    return null;
  }
  if (element.getAttribute('type') === 'application/json') {
    return JSON.parse(element.textContent ?? 'null') as T;
  }
  const bytes = await readEmbeddedBytes(name);
  return bytes === null ? null : (JSON.parse(new TextDecoder().decode(bytes)) as T);
}
