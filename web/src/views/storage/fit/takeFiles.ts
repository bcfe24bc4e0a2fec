import { EngineRefused } from "../../../engine/asking.ts";
import { drives } from "../../../engine/drivesStore.ts";
import { fitRuns } from "../../../engine/fits.ts";
import { fitPage } from "./fitPage.ts";
import { isDrive, isMeasured } from "./measuredFile.ts";

/** Takes files: drives to those that are kept, all others as measurements. */
export async function takeFiles(files: readonly File[]): Promise<void> {
  const texts = await Promise.all(files.map((file) => file.text().catch(() => "")));
  const isOne = (at: number) => isDrive(texts[at] ?? "") && !isMeasured(texts[at] ?? "");
  await fitRuns.add(files.filter((_, at) => !isOne(at)));
  for (const [at, file] of files.entries()) if (isOne(at)) await takeDrive(file.name, texts[at] ?? "");
}

/** Keeps the drive of a file, or says what is wrong with it. */
async function takeDrive(name: string, text: string): Promise<void> {
  try {
    const drive = await fitRuns.readDrive(text);
    await drives.keep(drive);
    fitPage.setState({ said: `“${drive.name}” of ${name} is among your drives.` });
  } catch (error) {
    const reason = error instanceof EngineRefused ? error.message : String(error);
    fitPage.setState({ said: `${name} was not read: ${reason}` });
  }
}
