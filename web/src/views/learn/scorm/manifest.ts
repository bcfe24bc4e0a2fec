/** Versions of SCORM that packages are made for. */
export const VERSIONS = ["1.2", "2004"] as const;
export type Version = (typeof VERSIONS)[number];

/** How a version is called where people choose one. */
export const VERSION_TITLES: Readonly<Record<Version, string>> = {
  "1.2": "SCORM 1.2",
  "2004": "SCORM 2004 4th edition",
};

/** What an LMS is told of a lesson. */
export interface Packed {
  readonly version: Version;
  /** Names the course in the LMS: letters, digits and hyphens, a letter first. */
  readonly id: string;
  readonly title: string;
  /** What the learner can do afterwards. */
  readonly outcome: string;
  /** The file that the LMS opens, with its query and fragment. */
  readonly launch: string;
  /** Share of the score, 0 to 1, from which a learner has passed; null where to have finished is enough. */
  readonly passShare: number | null;
  /** Paths of all files of the package but the manifest, in any order. */
  readonly files: readonly string[];
}

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (letter) => ESCAPES[letter] ?? letter);

/** The namespaces and names in which the versions differ. */
const FORMS = {
  "1.2": {
    namespaces: [
      'xmlns="http://www.imsproject.org/xsd/imscp_rootv1p1p2"',
      'xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_rootv1p2"',
    ],
    schemaVersion: "1.2",
    type: "adlcp:scormtype",
  },
  "2004": {
    namespaces: [
      'xmlns="http://www.imsglobal.org/xsd/imscp_v1p1"',
      'xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_v1p3"',
      'xmlns:imsss="http://www.imsglobal.org/xsd/imsss"',
    ],
    schemaVersion: "2004 4th Edition",
    type: "adlcp:scormType",
  },
} as const;

/** From which score an LMS says that the learner has passed. */
function passing({ version, passShare }: Packed): string {
  if (version === "1.2") {
    return passShare === null
      ? ""
      : `<adlcp:masteryscore>${Math.round(100 * passShare)}</adlcp:masteryscore>`;
  }
  const measure =
    passShare === null
      ? '<imsss:primaryObjective objectiveID="lesson"/>'
      : `<imsss:primaryObjective objectiveID="lesson" satisfiedByMeasure="true">
              <imsss:minNormalizedMeasure>${passShare}</imsss:minNormalizedMeasure>
            </imsss:primaryObjective>`;
  return `<imsss:sequencing>
          <imsss:objectives>
            ${measure}
          </imsss:objectives>
          <imsss:deliveryControls completionSetByContent="true" objectiveSetByContent="true"/>
        </imsss:sequencing>`;
}

/**
 * `imsmanifest.xml` of a package of one lesson: SCORM 1.2 Content Aggregation Model, section 2.3, or SCORM 2004 4th edition
 * Content Aggregation Model, section 3.4.
 */
export function manifestOf(packed: Packed): string {
  const { namespaces, schemaVersion, type } = FORMS[packed.version];
  const title = escaped(packed.title);
  const files = [...packed.files].sort().map((path) => `<file href="${escaped(path)}"/>`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<manifest identifier="qoscope-${packed.id}" version="1.0"
  ${namespaces.join("\n  ")}>
  <!-- ${escaped(packed.outcome).replaceAll("--", "-")} -->
  <metadata>
    <schema>ADL SCORM</schema>
    <schemaversion>${schemaVersion}</schemaversion>
  </metadata>
  <organizations default="course">
    <organization identifier="course">
      <title>${title}</title>
      <item identifier="lesson" identifierref="page" isvisible="true">
        <title>${title}</title>
        ${passing(packed)}
      </item>
    </organization>
  </organizations>
  <resources>
    <resource identifier="page" type="webcontent" ${type}="sco" href="${escaped(packed.launch)}">
      ${files.join("\n      ")}
    </resource>
  </resources>
</manifest>
`;
}
