// Runs before the first paint: the theme asked for in the address, chosen before, or the system's.
{
  const asked = new URLSearchParams(location.search).get("theme");
  let theme = asked;
  try {
    theme ??= localStorage.getItem("qoscope.theme");
  } catch {
    // A browser that keeps nothing shows the system's theme.
  }
  if (theme !== "light" && theme !== "dark") {
    theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  }
  document.documentElement.dataset.theme = theme;
}
