// Before anything is painted: a page that was made dark must not flash white. A file, because inline scripts are forbidden.
try {
  const theme = localStorage.getItem('onrush-theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // Storage may be forbidden; then the system's theme holds.
}
