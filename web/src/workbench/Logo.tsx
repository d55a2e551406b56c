/** A root and two leaves. */
export function Logo() {
  return (
    <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
      <path
        d="M10 5v4M10 9c0 3-5.5 2-5.5 6M10 9c0 3 5.5 2 5.5 6"
        fill="none"
        stroke="currentColor"
        stroke-width="1.6"
      />
      <circle cx="10" cy="4" r="2.6" fill="currentColor" />
      <circle class="mark c0" cx="4.5" cy="16" r="2.6" />
      <rect class="mark c1" x="13" y="13.5" width="5" height="5" rx="0.8" />
    </svg>
  );
}
