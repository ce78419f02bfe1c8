import { NativeSelect, SimpleGrid, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Separator } from '../../../../src/foundation/lib/text/sheet.ts'
import { api } from '../../api.ts'
import { isGiven } from '../../form/form-rules.ts'
import { once } from '../../form/once.ts'
import { ServiceForm } from '../../form/service-form.tsx'
import { Section } from '../../layout/section.tsx'
import { ServiceError } from '../../service-error.ts'
import { count } from '../../shown/count.ts'
import { notify } from '../../shown/notify.ts'
import { FundingField } from '../accounts/funding-field.tsx'
import { mailTypes } from '../send/send-order.ts'
import { type FileRow, writeCsv } from './batch-file.ts'
import { refreshBatches } from './batch-queries.ts'

/** The open batch that the new one replaces. */
export type Replaced = { id: string; name: string }

type Props = {
  rows: FileRow[]
  separator: Separator
  badCount: number
  name: string
  replaced: Replaced | undefined
}

/** The name of the batch, the account that pays, and how checks are mailed. */
export function SaveSection({ rows, separator, badCount, name, replaced }: Props) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const form = useForm({
    initialValues: { name, account: '', mail_type: 'USPS_FIRST_CLASS' },
    validate: { name: isGiven('Enter a name.') },
  })
  const isMailed = rows.some(({ cells }) => cells.line_1)
  const send = (values: typeof form.values) => {
    requireRows(rows.length, badCount)
    const body = {
      name: values.name.trim(),
      file: writeCsv(rows, separator),
      account: values.account || null,
      mail_type: isMailed ? (values.mail_type as keyof typeof mailTypes) : null,
    }
    if (replaced) return api.replaceBatch(replaced.id, body)
    return once(
      'batch',
      body,
      (key) => api.createBatch(key, body),
      () => notify('Checking whether the batch was saved'),
    )
  }
  const finish = async ({ id }: { id: string }) => {
    await refreshBatches(queryClient)
    notify('Batch saved')
    await navigate({ to: '/batches/$id', params: { id } })
  }
  return (
    <Section title="Save as a batch">
      <ServiceForm form={form} send={send} onDone={finish} submit="Save batch" subject={`${rows.length} ${badCount}`}>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
          <TextInput label="Name of the batch" maxLength={80} autoComplete="off" {...form.getInputProps('name')} />
          <FundingField {...form.getInputProps('account')} value={form.values.account} />
          {isMailed && (
            <NativeSelect
              label="Mail"
              data={Object.entries(mailTypes).map(([value, label]) => ({ value, label }))}
              {...form.getInputProps('mail_type')}
            />
          )}
        </SimpleGrid>
      </ServiceForm>
    </Section>
  )
}

/** Creates or replaces the batch. @throws ServiceError */
function requireRows(rowCount: number, badCount: number): void {
  if (rowCount === 0) throw new ServiceError({ code: 'no_rows', message: 'No rows are left. Choose another file.' })
  if (badCount === 0) return
  const message = `${count(badCount, 'row has', 'rows have')} errors. Fix or remove ${badCount === 1 ? 'it' : 'them'} first.`
  throw new ServiceError({ code: 'rows_with_errors', message })
}
