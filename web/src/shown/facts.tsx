import type { ReactNode } from 'react'
import classes from './facts.module.css'

/** A list of labels and values. */
export const Facts = ({ children }: { children: ReactNode }) => <dl className={classes.facts}>{children}</dl>

type Props = { label: string; isCode?: boolean; children: ReactNode }

export const Fact = ({ label, isCode = false, children }: Props) => (
  <div className={classes.fact}>
    <dt>{label}</dt>
    <dd data-code={isCode}>{children}</dd>
  </div>
)
