/** Writes the stub of the types of answers for the Python package. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./lib/process.mjs";
import { definitionsOf } from "./lib/types.mjs";
import { pythonOf, pythonStub } from "./lib/types-python.mjs";

writeFileSync(join(root, pythonStub), pythonOf(definitionsOf("answers")));
