// @vitest-environment happy-dom
import { act, cleanup } from "@testing-library/react";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import wrr from "../../../scenarios/nvme-wrr-321.json";
import rdma from "../../../scenarios/paper1-fig18a-dcqcn.json";
import { ArbitrationPanel, CollectionPanel, SsdPanel, TenantsPanel } from "../panels/StoragePanels.tsx";
import { deviceRows, settingRows } from "../panels/settingRows.ts";
import type { Scenario } from "../scenario/types.ts";
import { exploreView } from "./explore/exploreView.ts";
import { Sidebar } from "./frame/Sidebar.tsx";
import { furnish, type TestPage, testPage, testScenario } from "./testPage.tsx";

beforeAll(furnish);
afterEach(cleanup);

/** Rows with lists of their own, which no single field stands for. */
const LISTS = /^(workloads|storage\.servers)/;

const onThePage = () =>
  [...document.querySelectorAll("[data-path]")]
    .map((row) => row.getAttribute("data-path") ?? "")
    .filter((path) => !LISTS.test(path));

const pageOf = (scenario: Scenario): TestPage => {
  const page = testPage(scenario);
  page.session.begin(scenario);
  page.run(20);
  return page;
};

describe.each([
  ["three writers", testScenario],
  ["RDMA with deadlines", rdma as unknown as Scenario],
  ["weighted round robin in an SSD", wrr as unknown as Scenario],
])("the list of settings of %s", (_, scenario) => {
  it("names the rows that Explore has, and no others", async () => {
    const { session, views, show } = pageOf(scenario);
    const rows = settingRows(scenario, session.run.getState().explanation);
    await act(async () => void show(<Sidebar atOnce />));
    for (const index of scenario.classes.keys()) {
      act(() => views.change(exploreView, { class: index }));
      const listed = rows.filter(({ classIndex = index }) => classIndex === index).map(({ path }) => path);
      expect(onThePage().toSorted()).toEqual(listed.toSorted());
    }
  });
});

it("the list of settings of an SSD names rows that its view has, and none of them is missing", async () => {
  const scenario = wrr as unknown as Scenario;
  const { session, show } = pageOf(scenario);
  const panels = (
    <>
      <ArbitrationPanel device={0} />
      <SsdPanel />
      <CollectionPanel isMemory={false} />
      <TenantsPanel />
    </>
  );
  await act(async () => void show(panels));
  const explore = settingRows(scenario, session.run.getState().explanation).map(({ path }) => path);
  const own = onThePage().filter((path) => !explore.includes(path));
  expect(
    deviceRows(scenario, session.run.getState().explanation, "ssd")
      .map(({ path }) => path)
      .toSorted(),
  ).toEqual(own.toSorted());
});
