import { Button, Group, Text } from '@mantine/core'
import { type PointerEvent, useRef } from 'react'
import classes from './signature-pad.module.css'

const SIZE = { width: 600, height: 180 }

type Props = { label?: string; onChange: (png: string | null) => void }

/** A signature drawn with a finger, a pen or a mouse. */
export function SignaturePad({ label = 'Signature', onChange }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const isDrawing = useRef(false)

  const positionOf = ({ clientX, clientY, currentTarget }: PointerEvent<HTMLCanvasElement>) => {
    const { left, top, width, height } = currentTarget.getBoundingClientRect()
    return [((clientX - left) * SIZE.width) / width, ((clientY - top) * SIZE.height) / height] as const
  }
  const begin = (event: PointerEvent<HTMLCanvasElement>) => {
    const context = canvas.current?.getContext('2d')
    if (!context) return
    event.currentTarget.setPointerCapture(event.pointerId)
    isDrawing.current = true
    Object.assign(context, { lineWidth: 4, lineCap: 'round', lineJoin: 'round', strokeStyle: '#00205b' })
    context.beginPath()
    context.moveTo(...positionOf(event))
  }
  const draw = (event: PointerEvent<HTMLCanvasElement>) => {
    const context = canvas.current?.getContext('2d')
    if (!isDrawing.current || !context) return
    context.lineTo(...positionOf(event))
    context.stroke()
  }
  const end = () => {
    if (!isDrawing.current || !canvas.current) return
    isDrawing.current = false
    onChange(canvas.current.toDataURL('image/png').split(',')[1] ?? null)
  }
  const clear = () => {
    canvas.current?.getContext('2d')?.clearRect(0, 0, SIZE.width, SIZE.height)
    onChange(null)
  }

  return (
    <div>
      <Group justify="space-between" mb={4}>
        <Text size="sm" fw={600}>
          {label}
        </Text>
        <Button variant="subtle" size="compact-sm" onClick={clear}>
          Clear signature
        </Button>
      </Group>
      <canvas
        ref={canvas}
        {...SIZE}
        className={classes.signature}
        aria-label="Draw your signature"
        role="img"
        onPointerDown={begin}
        onPointerMove={draw}
        onPointerUp={end}
      />
    </div>
  )
}
