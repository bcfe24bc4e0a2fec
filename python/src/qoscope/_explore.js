// The page in a notebook: a frame that holds it, and what kernel and page tell each other (docs/embedding.md).

/** How long the page may take to answer before a sentence says so. */
const PATIENCE_MS = 20_000;

/** The frame of each widget that speaks for it, where it is shown several times. */
const speakers = new WeakMap();

/** The address of the page beside JupyterLab, or else at a server of the kernel. */
async function address(model) {
  const config = JSON.parse(document.getElementById("jupyter-config-data")?.textContent || "{}");
  const extensions = config.fullLabextensionsUrl ?? (config.baseUrl ? `${config.baseUrl}lab/extensions` : "");
  if (extensions) {
    const inLab = new URL(`${extensions.replace(/\/$/, "")}/${model.get("_in_lab")}`, location.href);
    const answer = await fetch(inLab, { method: "HEAD" }).catch(() => null);
    if (answer?.ok) return inLab;
  }
  return new Promise((resolve) => {
    const look = () => {
      const served = model.get("_served");
      if (!served) return;
      model.off("change:_served", look);
      resolve(new URL(served));
    };
    model.on("change:_served", look);
    model.send({ qoscope: "serve" });
    look();
  });
}

/** The theme that the notebook has, empty where it says none. */
function themeOf() {
  const { dataset, classList } = document.body;
  if (dataset.jpThemeLight) return dataset.jpThemeLight === "true" ? "light" : "dark";
  if (classList.contains("vscode-dark") || classList.contains("vscode-high-contrast")) return "dark";
  return classList.contains("vscode-light") ? "light" : "";
}

function render({ model, el }) {
  const frame = document.createElement("iframe");
  frame.title = "QoScope";
  frame.allow = "fullscreen; clipboard-write";
  frame.style.cssText =
    "display:block;width:100%;border:1px solid var(--jp-border-color2,#ccc);border-radius:4px";
  const size = () => {
    frame.style.height = `${model.get("height")}px`;
  };
  size();
  // The picture that a saved notebook has is for those who see no page.
  const style = document.createElement("style");
  style.textContent = `.qoscope-still-${model.get("_id")}{display:none}`;
  const note = document.createElement("p");
  el.append(style, frame, note);

  let isThere = false;
  const say = (message) => frame.contentWindow?.postMessage(message, "*");
  const tellTheme = () => {
    const theme = themeOf();
    if (theme) say({ qoscope: "theme", theme });
  };
  const speaks = () => {
    const speaker = speakers.get(model);
    if (!speaker?.isConnected) speakers.set(model, frame);
    return speakers.get(model) === frame;
  };
  const patience = setTimeout(() => {
    note.textContent =
      "The page does not answer. If the notebook runs on another machine, install qoscope-sim beside JupyterLab there: it then serves the page.";
  }, PATIENCE_MS);

  const heard = ({ source, data }) => {
    if (source !== frame.contentWindow || !data) return;
    if (!isThere) {
      isThere = true;
      clearTimeout(patience);
      note.textContent = "";
      tellTheme();
      say({ qoscope: "follow" });
    }
    if (!speaks()) return;
    if (data.qoscope === "state") {
      model.set("phase", data.phase);
      model.set("time_us", data.timeUs);
    } else if (data.qoscope === "scenario") model.set("_told", JSON.stringify(data.scenario));
    else if (data.qoscope === "refused") model.set("refused", data.diagnostics);
    else return;
    model.save_changes();
  };
  const asked = (message) => {
    if (message?.qoscope) say(message);
  };
  const themes = new MutationObserver(tellTheme);
  themes.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light", "class"] });
  addEventListener("message", heard);
  model.on("msg:custom", asked);
  model.on("change:height", size);
  address(model).then((page) => {
    const query = new URLSearchParams({ embed: "", autoplay: model.get("_autoplay") ? "1" : "0" });
    for (const name of ["hide", "lock", "free"]) {
      const names = model.get(`_${name}`);
      if (names !== null) query.set(name, names);
    }
    const theme = themeOf();
    if (theme) query.set("theme", theme);
    page.search = query;
    page.hash = model.get("_link");
    frame.src = page;
  });

  return () => {
    clearTimeout(patience);
    themes.disconnect();
    removeEventListener("message", heard);
    model.off("msg:custom", asked);
    model.off("change:height", size);
    style.remove();
  };
}

export default { render };
