// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Segmented } from "./Segmented.tsx";
import { Select } from "./Select.tsx";
import { TabList, TabPanel, Tabs } from "./Tabs.tsx";
import { Toggle } from "./Toggle.tsx";

afterEach(cleanup);

describe("a toggle", () => {
  const show = (disabled: boolean) => {
    const onChange = vi.fn();
    render(
      <>
        <label htmlFor="patched">Patched</label>
        <Toggle id="patched" on={false} disabled={disabled} onChange={onChange} />
      </>,
    );
    return { toggle: screen.getByRole("switch", { name: "Patched" }), onChange };
  };

  it("is switched by a click on it or on its label", () => {
    const { toggle, onChange } = show(false);
    expect(toggle.getAttribute("aria-checked")).toBe("false");
    fireEvent.click(toggle);
    fireEvent.click(screen.getByText("Patched"));
    expect(onChange.mock.calls.map(([on]) => on)).toEqual([true, true]);
  });

  it("stays as it is, and can be reached, while it has no effect", () => {
    const { toggle, onChange } = show(true);
    fireEvent.click(toggle);
    expect(onChange).not.toHaveBeenCalled();
    expect(toggle.getAttribute("aria-disabled")).toBe("true");
    expect(toggle.matches(":disabled")).toBe(false);
  });
});

describe("a segmented control", () => {
  const show = () => {
    const onChange = vi.fn();
    render(
      <Segmented
        label="Statistic"
        value="mean"
        options={[
          { value: "mean", title: "mean" },
          { value: "p99", title: "p99" },
        ]}
        onChange={(value) => onChange(value)}
      />,
    );
    return onChange;
  };

  it("is a group of choices of which one holds", () => {
    show();
    expect(screen.getByRole("radiogroup", { name: "Statistic" })).toBeTruthy();
    expect(screen.getByRole("radio", { checked: true }).textContent).toBe("mean");
  });

  it("takes another choice, and not the same again", () => {
    const onChange = show();
    fireEvent.click(screen.getByRole("radio", { name: "mean" }));
    fireEvent.click(screen.getByRole("radio", { name: "p99" }));
    expect(onChange.mock.calls).toEqual([["p99"]]);
  });
});

describe("a select", () => {
  const show = (disabled: boolean) => {
    const onChange = vi.fn();
    const options = [
      { value: "step", title: "Step" },
      { value: "red", title: "RED" },
    ];
    render(
      <Select aria-label="Marking" value="step" options={options} disabled={disabled} onChange={onChange} />,
    );
    return { select: screen.getByRole<HTMLSelectElement>("combobox", { name: "Marking" }), onChange };
  };

  it("gives what is chosen", () => {
    const { select, onChange } = show(false);
    fireEvent.change(select, { target: { value: "red" } });
    expect(onChange).toHaveBeenCalledWith("red");
  });

  it("keeps its value while it has no effect", () => {
    const { select, onChange } = show(true);
    fireEvent.change(select, { target: { value: "red" } });
    expect(onChange).not.toHaveBeenCalled();
    expect(select.value).toBe("step");
    expect(select.getAttribute("aria-disabled")).toBe("true");
  });
});

describe("tabs", () => {
  const show = () => {
    const onChange = vi.fn();
    render(
      <Tabs value="Links" onChange={onChange}>
        <TabList label="Tables" tabs={["Nodes", "Links"]} takesFocus />
        <TabPanel value="Links">All links</TabPanel>
      </Tabs>,
    );
    return onChange;
  };

  it("name the panel of the chosen one, which has the focus at first", () => {
    show();
    expect(document.activeElement).toBe(screen.getByRole("tab", { name: "Links", selected: true }));
    expect(screen.getByRole("tabpanel", { name: "Links" }).textContent).toBe("All links");
  });

  it("are chosen by a click", () => {
    const onChange = show();
    fireEvent.click(screen.getByRole("tab", { name: "Nodes" }));
    expect(onChange.mock.calls.map(([tab]) => tab)).toEqual(["Nodes"]);
  });
});
