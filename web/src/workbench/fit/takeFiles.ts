import { drives } from "../../engine/campaign/fit/drivesStore.ts";
import { fitRuns } from "../../engine/campaign/fit/fitRuns.ts";
import { EngineRefused } from "../../engine/rpc/errors.ts";
import { fitPage } from "./fitPage.ts";
import { isDrive, isLog, isMeasured } from "./measuredFile.ts";

/** Takes files: drives to those that are kept, logs to be looked at, all others as results. */
export async function takeFiles(files: readonly File[]): Promise<void> {
  const given = await Promise.all(
    files.map(async (file) => {
      const text = await beginning(file);
      const kind = isLog(file.name, text) ? "log" : isDrive(text) && !isMeasured(text) ? "drive" : "results";
      return { file, kind };
    }),
  );
  const of = (wanted: string) => given.filter(({ kind }) => kind === wanted).map(({ file }) => file);
  await fitRuns.add(of("results"));
  await fitRuns.addLogs(of("log"));
  for (const file of of("drive")) await takeDrive(file.name, await file.text());
}

/** What a file begins with: by it one tells what it is. */
const beginning = (file: File): Promise<string> =>
  file
    .slice(0, BEGINNING)
    .text()
    .catch(() => "");
const BEGINNING = 1_000_000;

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
