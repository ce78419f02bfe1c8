import { Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { timeZoneWords } from '../../../../src/foundation/lib/clock.ts'
import type { Limits } from '../../answers.ts'
import { api } from '../../api.ts'
import { AmountField } from '../../form/amount-field.tsx'
import { isAmount, parseAmount } from '../../form/form-rules.ts'
import { ServiceForm } from '../../form/service-form.tsx'
import { Section } from '../../layout/section.tsx'
import { useMay } from '../../permission.ts'
import { DialogButton } from '../../shown/dialog-button.tsx'
import { dollars } from '../../shown/dollars.ts'
import { Loaded } from '../../shown/loaded.tsx'
import { notify } from '../../shown/notify.ts'
import { type Column, RecordsTable } from '../../shown/records-table.tsx'
import { SkeletonRows } from '../../shown/skeleton-rows.tsx'
import { limitQuery } from './user-queries.ts'

/** The sending limits of a user, and the amounts that are left. */
export function LimitsSection({ id }: { id: string }) {
  const limits = useQuery(limitQuery(id))
  const mayLower = useMay('users')
  return (
    <Section
      title="Sending limits"
      about={limits.data && `Days and months begin at midnight in ${timeZoneWords(limits.data.time_zone)}.`}
      action={mayLower && limits.data !== undefined && <LowerButton id={id} limits={limits.data} />}
    >
      <Loaded query={limits} skeleton={<SkeletonRows count={3} height={28} />}>
        {(data) => <RecordsTable caption="Sending limits" columns={columns} rows={rowsOf(data)} empty="" />}
      </Loaded>
    </Section>
  )
}

const periods = { payment: 'One payment', day: 'Per day', month: 'Per month' } as const
type Period = keyof typeof periods
const names = Object.keys(periods) as Period[]

type Row = Limits[Period] & { id: Period }

const rowsOf = (limits: Limits): Row[] => names.map((id) => ({ id, ...limits[id] }))

const amountOr = (amount: number | null, none: string) => (amount === null ? none : dollars(amount))

const columns: Column<Row>[] = [
  { head: 'Limit', cell: ({ id }) => <Text fw={600}>{periods[id]}</Text> },
  { head: 'Maximum', isNumber: true, cell: ({ maximum }) => amountOr(maximum, 'No limit') },
  { head: 'Used', isNumber: true, cell: ({ id, used }) => (id === 'payment' ? '–' : dollars(used)) },
  { head: 'Left', isNumber: true, cell: ({ left }) => amountOr(left, '–') },
]

const LowerButton = ({ id, limits }: { id: string; limits: Limits }) => (
  <DialogButton label="Lower limits" title="Lower the sending limits" size="xs">
    {(close) => <LimitsForm id={id} limits={limits} onDone={close} />}
  </DialogButton>
)

type Fields = Record<Period, string>

/** Sets the limits of the platform for a user. An empty field removes a limit. */
function LimitsForm({ id, limits, onDone }: { id: string; limits: Limits; onDone: () => void }) {
  const queryClient = useQueryClient()
  const lowered = (name: Period) =>
    limits[name].maximum !== limits[name].highest ? String(limits[name].maximum ?? '') : ''
  const form = useForm<Fields>({
    initialValues: { payment: lowered('payment'), day: lowered('day'), month: lowered('month') },
    validate: { payment: isLimit, day: isLimit, month: isLimit },
  })
  const send = ({ payment, day, month }: Fields) =>
    api.lowerLimits(id, { payment: limitOf(payment), day: limitOf(day), month: limitOf(month) })
  return (
    <ServiceForm
      form={form}
      send={send}
      onDone={async () => {
        await queryClient.invalidateQueries(limitQuery(id))
        onDone()
        notify('Limits saved')
      }}
      submit="Save limits"
    >
      {names.map((name) => (
        <AmountField
          key={name}
          label={periods[name]}
          placeholder="No limit"
          description={
            limits[name].highest === null ? 'Empty for no limit' : `At most ${dollars(limits[name].highest)}`
          }
          {...(name === 'payment' && { 'data-autofocus': true })}
          {...form.getInputProps(name)}
        />
      ))}
    </ServiceForm>
  )
}

const isLimit = (text: string) => (text.trim() === '' ? null : isAmount(text))

const limitOf = (text: string): number | null => (text.trim() === '' ? null : parseAmount(text))
