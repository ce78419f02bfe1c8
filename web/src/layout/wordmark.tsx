import classes from './header.module.css'

/** The product's name, with a link to the home page. */
export const Wordmark = () => (
  <a href="/" className={classes.wordmark}>
    <svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="var(--mantine-color-petrol-7)" />
      <path
        d="M8 11h14m-5-5 5 5-5 5M24 21H10m5-5-5 5 5 5"
        fill="none"
        stroke="#fff"
        strokeWidth="2.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
    Remit
  </a>
)
