/** A scenario that comes with the page, by the name of its file. */
export async function scenarioNamed(name: string): Promise<unknown> {
  const { SCENARIOS } = await import("./presets.ts");
  const scenario = SCENARIOS[name];
  if (!scenario) throw new Error(`There is no scenario “${name}” on this page.`);
  return scenario;
}
