import { Button, Group, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import type { WaitingLine } from '../../answers.ts'
import { LineDialog, type OpenDialog } from './line-dialog.tsx'
import { LineRow } from './line-row.tsx'
import classes from './statements.module.css'
import { useLineDecisions } from './use-line-decisions.ts'

type Props = { q: string | undefined; lines: WaitingLine[]; namesAccount: boolean; onSearch: () => void }

/**
 * The lines that wait. The keys work while the focus is in the list: each line has one main button, which j, k and the arrows reach. After a
 * decision, the next line has the focus.
 */
export function WaitingLines({ q, lines, namesAccount, onSearch }: Props) {
  const list = useRef<HTMLUListElement>(null)
  const [currentId, setCurrentId] = useState<string | null>(null)
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const nextId = useRef<string | null>(null)

  const focusLine = (id: string | undefined) =>
    list.current?.querySelector<HTMLElement>(`[data-line="${id}"] [data-main]`)?.focus()
  const neighborOf = (id: string, step: number) => lines[lines.findIndex((line) => line.id === id) + step]?.id

  const decisions = useLineDecisions(q, (id) => {
    nextId.current = neighborOf(id, 1) ?? neighborOf(id, -1) ?? null
  })
  useEffect(() => {
    if (nextId.current === null || !lines.some(({ id }) => id === nextId.current)) return
    focusLine(nextId.current)
    nextId.current = null
  })

  useEffect(() => {
    const element = list.current
    const onKey = (event: KeyboardEvent) => {
      const line = lines.find(({ id }) => id === currentId)
      if (!line || event.ctrlKey || event.metaKey || event.altKey) return
      const proposal = line.proposals[Number(event.key) - 1]
      const step = STEPS[event.key]
      if (step !== undefined) focusLine(neighborOf(line.id, step))
      else if (proposal) decisions.decide({ line, proposal })
      else if (event.key === 'b' || event.key === 'i') setDialog({ line, kind: event.key === 'b' ? 'book' : 'ignore' })
      else if (event.key === 'u') decisions.undoLast()
      else if (event.key === '/') onSearch()
      else return
      event.preventDefault()
    }
    element?.addEventListener('keydown', onKey)
    return () => element?.removeEventListener('keydown', onKey)
  })

  return (
    <>
      <Legend onStart={() => focusLine(lines[0]?.id)} onUndo={decisions.undoLast} />
      <ul ref={list} className={classes.lines} aria-label="Lines that wait for a decision">
        {lines.map((line) => (
          <LineRow
            key={line.id}
            line={line}
            namesAccount={namesAccount}
            isCurrent={line.id === currentId}
            isWorking={line.id === decisions.workingId}
            onCurrent={() => setCurrentId(line.id)}
            onAccept={(proposal) => decisions.decide({ line, proposal })}
            onOpen={(kind) => setDialog({ line, kind })}
          />
        ))}
      </ul>
      <LineDialog dialog={dialog} onDecide={decisions.decideInForm} onClose={() => setDialog(null)} />
    </>
  )
}

const STEPS: Partial<Record<string, number>> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }

const KEYS: [keys: string[], does: string][] = [
  [['j', 'k'], 'next, previous'],
  [['Enter'], 'accept'],
  [['1', '–', '5'], 'accept another proposal'],
  [['b'], 'book'],
  [['i'], 'ignore'],
  [['u'], 'undo'],
  [['/'], 'search'],
]

const Legend = ({ onStart, onUndo }: { onStart: () => void; onUndo: () => void }) => (
  <Group gap="sm" justify="space-between" className={classes.legend}>
    <Group gap="xs" className={classes.keys} aria-label="Keys" role="group">
      {KEYS.map(([keys, does]) => (
        <Text key={does} size="xs" c="dimmed" component="span">
          {keys.map((key) => (key === '–' ? key : <kbd key={key}>{key}</kbd>))} {does}
        </Text>
      ))}
    </Group>
    <Group gap="xs" wrap="nowrap">
      <Button variant="default" size="xs" className={classes.start} onClick={onStart}>
        Use the keyboard
      </Button>
      <Button variant="default" size="xs" onClick={onUndo}>
        Undo last
      </Button>
    </Group>
  </Group>
)
