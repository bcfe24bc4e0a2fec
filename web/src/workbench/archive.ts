import { Zip, ZipDeflate } from "fflate";

/**
 * A ZIP file that is being filled, on this thread: the library's own workers are made from text, which the policy of the page
 * forbids. Of its functions these are the ones that a package for an LMS brings along anyway.
 */
export class Archive {
  private readonly chunks: Uint8Array<ArrayBuffer>[] = [];
  private readonly zip = new Zip((error, chunk) => {
    if (error) throw error;
    this.chunks.push(chunk as Uint8Array<ArrayBuffer>);
  });

  add(path: string, content: Uint8Array | string): void {
    const file = new ZipDeflate(path, { level: 9 });
    this.zip.add(file);
    file.push(typeof content === "string" ? new TextEncoder().encode(content) : content, true);
  }

  /** The whole of it. Nothing can be added after that. */
  blob(): Blob {
    this.zip.end();
    return new Blob(this.chunks, { type: "application/zip" });
  }
}
