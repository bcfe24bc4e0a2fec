import { Archive } from "../../../workbench/archive.ts";
import { manifestOf, type Packed } from "./manifest.ts";

/** Where the build lists its files (`web/build/precache.ts`). */
const FILE_LIST = "files.json";

/** What is known of a file of the page. */
interface Listed {
  /** Of its bytes, in the notation of `integrity`. */
  readonly digest: string;
  /** How many they are, packed. */
  readonly packed: number;
}

/** Why a package was not made: what a person reads. */
export class PackageRefused extends Error {}

async function digestOf(bytes: BufferSource): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return `sha256-${btoa(String.fromCharCode(...digest))}`;
}

async function fetched(path: string): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(path, { cache: "no-cache" }).catch(() => null);
  if (!response?.ok)
    throw new PackageRefused(
      `The page's file ${path} could not be fetched. Try again when its host answers.`,
    );
  return new Uint8Array(await response.arrayBuffer());
}

/** The files of the page as it was built. */
async function listed(): Promise<readonly (readonly [path: string, Listed])[]> {
  const bytes = await fetched(FILE_LIST);
  try {
    return Object.entries(JSON.parse(new TextDecoder().decode(bytes)) as Record<string, Listed>);
  } catch {
    throw new PackageRefused("Packages are made from the built page: npm run build, then npm start.");
  }
}

/** How large a package will be, in bytes; its manifest and directory add little. */
export const packageSize = async (): Promise<number> =>
  (await listed()).reduce((sum, [, { packed }]) => sum + packed, 0);

/**
 * A package for an LMS: all files of the page as it was built, what is given beside them, and the manifest. Files that are not
 * those of this build are refused. Tells how many of how many files are in it.
 */
export async function packageOf(
  lesson: Omit<Packed, "files">,
  beside: Readonly<Record<string, string>>,
  tell: (done: number, of: number) => void,
): Promise<Blob> {
  const archive = new Archive();
  const all = await listed();
  for (const [at, [path, { digest }]] of all.entries()) {
    tell(at, all.length);
    const bytes = await fetched(path);
    // Without https there is no digest to be had.
    if (crypto.subtle && (await digestOf(bytes)) !== digest)
      throw new PackageRefused(`${path} has changed since this page was opened. Reload the page.`);
    archive.add(path, bytes);
  }
  const texts = Object.entries(beside);
  const files = [...all, ...texts].map(([path]) => path);
  for (const [path, text] of [...texts, ["imsmanifest.xml", manifestOf({ ...lesson, files })] as const])
    archive.add(path, text);
  tell(all.length, all.length);
  return archive.blob();
}
