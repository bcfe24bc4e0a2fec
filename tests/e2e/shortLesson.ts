import type { Locator, Page } from "@playwright/test";

/**
 * A lesson with a question of each kind whose answers follow from its settings, over a run of a moment: for tests of what is done
 * with lessons, not of what they teach.
 */
export const shortLesson = {
  version: 1,
  id: "short-lesson",
  title: "A short lesson",
  outcome: "Read the threshold of a switch.",
  minutes: 1,
  runs: [
    {
      name: "small",
      title: "A small threshold",
      scenario: "three-writers",
      set: { durationUs: 1000, "measurement.warmupUs": 0, "switch.ecnThresholdPackets": 10 },
    },
  ],
  steps: [
    {
      kind: "predict",
      title: "Which half?",
      text: "The switch marks packets once its queue is longer than the threshold.",
      run: "small",
      show: ["queue"],
      question: {
        kind: "choice",
        prompt: "Where is the threshold?",
        options: [
          {
            text: "below {50} packets",
            when: { value: "small.settings.switch.ecnThresholdPackets", max: 49 },
            right: true,
          },
          {
            text: "above {50} packets",
            when: { value: "small.settings.switch.ecnThresholdPackets", min: 51 },
            feedback: "Many begin with a large one.",
          },
        ],
      },
      explain: "It is {small.settings.switch.ecnThresholdPackets} packets.",
    },
    {
      kind: "predict",
      title: "How many?",
      text: "Now the number itself.",
      show: ["queue"],
      question: {
        kind: "number",
        prompt: "How many packets is it?",
        unit: "packets",
        value: "small.settings.switch.ecnThresholdPackets",
        decimals: 0,
        scale: { min: 0, max: 100 },
        within: 2,
        expected: { min: 10, max: 10 },
        feedback: [{ min: 90, max: 100, text: "That is a deep queue." }],
      },
      explain: "It is {small.settings.switch.ecnThresholdPackets} packets.",
    },
    {
      kind: "predict",
      title: "How does it go with the rate?",
      text: "A threshold goes with the rate of its link, here {small.settings.topology.linkGbps} Gb/s. High carries {small.classes['High'].carriedGbps} Gb/s.",
      show: ["queue"],
      question: {
        kind: "curve",
        prompt: "Draw the threshold over the rate.",
        x: { title: "Rate", unit: "times this" },
        y: { title: "Threshold", unit: "packets", min: 0, max: 40 },
        points: [
          { x: 1, value: "small.settings.switch.ecnThresholdPackets" },
          { x: 2, value: "2 * small.settings.switch.ecnThresholdPackets" },
          { x: 3, value: "3 * small.settings.switch.ecnThresholdPackets" },
        ],
        withinPercent: 10,
        feedback: [{ text: "As if it did not depend on the rate.", values: [40, 40, 40] }],
      },
      explain: "Twice the rate, twice the threshold.",
    },
    {
      kind: "challenge",
      title: "Set a larger one",
      text: "Twice as large, at least.",
      show: ["queue"],
      controls: [{ path: "switch.ecnThresholdPackets" }],
      goals: [
        {
          says: "The threshold is large",
          value: "small.settings.switch.ecnThresholdPackets",
          min: 20,
          unit: "packets",
          decimals: 0,
        },
      ],
      hints: ["Turn it up."],
      solution: { "switch.ecnThresholdPackets": 40 },
      wrong: [{ set: { "switch.ecnThresholdPackets": 15 }, text: "Not twice as large." }],
      explain: "Done.",
    },
  ],
};

/** Chooses the file of the lesson where a button asks for one. */
export async function chooseShortLesson(page: Page, button: Locator): Promise<void> {
  const chosen = page.waitForEvent("filechooser");
  await button.click();
  await (await chosen).setFiles({
    name: "short.json",
    mimeType: "application/json",
    buffer: Buffer.from(JSON.stringify(shortLesson)),
  });
}
