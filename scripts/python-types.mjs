/** Writes the stub of the types of answers for the Python package. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readAnswers } from "./lib/answers.mjs";
import { pythonOf, pythonStub } from "./lib/answers-python.mjs";
import { root } from "./lib/process.mjs";

writeFileSync(join(root, pythonStub), pythonOf(readAnswers()));
