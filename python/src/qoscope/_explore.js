// The page in a notebook: a frame that holds it, and between frame and kernel the messages of docs/embedding.md.

/** How long the page may take to answer before a sentence says so. */
const PATIENCE_MS = 20_000;

/** What takes each widget, by its id, from where it is shown: it is shown in one place at a time, and so has one run. */
const places = new Map();

/** The address of the page beside JupyterLab, where the package is installed there, or else at the server of the kernel. */
async function addressOf(model) {
  const config = JSON.parse(document.getElementById("jupyter-config-data")?.textContent || "{}");
  const extensions = config.fullLabextensionsUrl ?? (config.baseUrl ? `${config.baseUrl}lab/extensions` : "");
  if (extensions) {
    const inLab = new URL(`${extensions.replace(/\/$/, "")}/${model.get("_in_lab")}`, location.href);
    const answer = await fetch(inLab, { method: "HEAD" }).catch(() => null);
    if (answer?.ok) return inLab;
  }
  return new URL(model.get("_served"));
}

/** The theme that the notebook has, empty where it says none. */
function themeOf() {
  const { dataset, classList } = document.body;
  if (dataset.jpThemeLight) return dataset.jpThemeLight === "true" ? "light" : "dark";
  if (classList.contains("vscode-dark") || classList.contains("vscode-high-contrast")) return "dark";
  return classList.contains("vscode-light") ? "light" : "";
}

/** The page as it begins: with what the kernel knows of it now. */
function sourceOf(model, address) {
  const query = new URLSearchParams({ embed: "", follow: "", autoplay: Number(model.get("_autoplay")) });
  for (const [name, fields] of Object.entries(model.get("_query"))) query.set(name, fields);
  const theme = themeOf();
  if (theme) query.set("theme", theme);
  const source = new URL(address);
  source.search = query;
  source.hash = model.get("_link");
  return source;
}

/** Puts the page into an element. Without a height until it answers: meanwhile the picture of the run is seen. Returns what removes it. */
function put({ model, el, address, answered, moved }) {
  const frame = document.createElement("iframe");
  frame.title = "QoScope";
  frame.allow = "fullscreen; clipboard-write";
  frame.src = sourceOf(model, address);
  frame.style.cssText = "display:block;box-sizing:border-box;width:100%;height:0;border:0";
  el.append(frame);
  const page = frame.contentWindow;

  /** What the kernel says before the page hears; null once it does. */
  let waiting = [];
  const say = (message) => {
    if (waiting) waiting.push(message);
    else page.postMessage(message, "*");
  };
  const size = () => {
    if (waiting) return;
    frame.style.height = `${model.get("height")}px`;
    frame.style.border = "1px solid var(--jp-border-color2, #8884)";
  };
  const heard = ({ source, data }) => {
    if (source !== page || !data) return;
    if (waiting) {
      const kept = waiting;
      waiting = null;
      size();
      answered();
      kept.forEach(say);
    }
    if (data.qoscope === "state") {
      model.set("phase", data.phase);
      model.set("time_us", data.timeUs);
      model.save_changes();
    } else if (data.qoscope === "scenario" || data.qoscope === "refused") model.send(data);
  };
  const themes = new MutationObserver(() => say({ qoscope: "theme", theme: themeOf() }));
  themes.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light", "class"] });
  addEventListener("message", heard);
  model.on("msg:custom", say);
  model.on("change:height", size);
  // Where a cell is moved, the browser loads its frames anew, in windows of their own, as they were at first.
  frame.addEventListener("load", () => {
    if (frame.contentWindow !== page) moved();
  });

  return () => {
    themes.disconnect();
    removeEventListener("message", heard);
    model.off("msg:custom", say);
    model.off("change:height", size);
    frame.remove();
  };
}

async function render({ model, el, signal }) {
  const address = await addressOf(model);
  const id = model.get("_id");
  const style = document.createElement("style");
  const note = document.createElement("p");
  note.style.cssText = "margin:0;color:var(--jp-ui-font-color1)";
  el.append(style, note);
  let patience;
  let remove = () => {};

  const leave = () => {
    clearTimeout(patience);
    remove();
    places.delete(id);
  };
  const giveWay = () => {
    leave();
    const button = document.createElement("button");
    button.textContent = "Show it here";
    button.onclick = show;
    note.replaceChildren("The page is shown where its widget was shown last. ", button);
  };
  const show = () => {
    places.get(id)?.();
    places.set(id, giveWay);
    note.replaceChildren();
    patience = setTimeout(() => {
      note.textContent =
        "The page does not answer. Where the notebook runs on another machine, install qoscope-sim there beside JupyterLab: it then serves the page.";
    }, PATIENCE_MS);
    const answered = () => {
      clearTimeout(patience);
      note.replaceChildren();
      // The picture of the run is for those who have no page.
      style.textContent = `.qoscope-still-${id}{display:none}`;
    };
    const moved = () => {
      leave();
      show();
    };
    remove = put({ model, el, address, answered, moved });
  };
  if (signal.aborted) return;
  show();

  return () => {
    style.remove();
    if (places.get(id) !== giveWay) return;
    leave();
    model.set("phase", "");
    model.save_changes();
  };
}

export default { render };
