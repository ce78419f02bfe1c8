import { Button, Checkbox, Group, NativeSelect, SimpleGrid, Stack, Text } from '@mantine/core'
import { type UseFormReturnType, useForm } from '@mantine/form'
import { IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import type { ApprovalPolicy, PolicyRule } from '../../answers.ts'
import { api } from '../../api.ts'
import { AmountField } from '../../form/amount-field.tsx'
import { isAmount, parseAmount } from '../../form/form-rules.ts'
import { ServiceForm } from '../../form/service-form.tsx'
import { notify } from '../../shown/notify.ts'
import { policyQuery } from './approval-queries.ts'
import classes from './approvals.module.css'
import { railNames, sourceNames } from './policy-words.ts'

const MAX_RULES = 20

/** The values of the fields of a rule, all as text. */
type RuleFields = {
  key: string
  min_amount: string
  new_payee: boolean
  rail: string
  source: string
  approvals: string
}

type PolicyFields = { dual_control: boolean; rules: RuleFields[] }

const fieldsOf = ({ min_amount, new_payee, rail, source, approvals }: PolicyRule): RuleFields => ({
  key: crypto.randomUUID(),
  min_amount: String(min_amount),
  new_payee,
  rail: rail ?? '',
  source: source ?? '',
  approvals: String(approvals),
})

const ruleOf = ({ min_amount, new_payee, rail, source, approvals }: RuleFields): PolicyRule => ({
  min_amount: parseAmount(min_amount),
  new_payee,
  rail: (rail || null) as PolicyRule['rail'],
  source: (source || null) as PolicyRule['source'],
  approvals: Number(approvals),
})

const newRule: PolicyRule = { min_amount: 1000, new_payee: false, rail: null, source: null, approvals: 1 }

/** Changes the rules. Under dual control, the change waits until a second person confirms it. */
export function PolicyForm({ policy }: { policy: ApprovalPolicy }) {
  const queryClient = useQueryClient()
  const form = useForm<PolicyFields>({
    initialValues: { dual_control: policy.dual_control, rules: policy.rules.map(fieldsOf) },
    validate: {
      rules: {
        min_amount: (text: string) => (text.trim() === '' ? null : isAmount(text)),
      },
    },
  })
  const onDone = async ({ proposal }: ApprovalPolicy) => {
    await queryClient.invalidateQueries(policyQuery)
    notify(proposal ? 'Another person must confirm the change' : 'Approval policy changed')
  }
  return (
    <ServiceForm
      form={form}
      send={({ dual_control, rules }) => api.changeApprovalPolicy({ dual_control, rules: rules.map(ruleOf) })}
      onDone={onDone}
      submit="Save policy"
    >
      <Checkbox
        label="Dual control"
        description="Every payment needs one approval, whatever the rules say."
        {...form.getInputProps('dual_control', { type: 'checkbox' })}
      />
      <Stack gap={0}>
        {form.values.rules.map((rule, index) => (
          <RuleRow key={rule.key} index={index} form={form} />
        ))}
        {form.values.rules.length === 0 && <Text c="dimmed">No rules yet.</Text>}
      </Stack>
      <div>
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          disabled={form.values.rules.length === MAX_RULES}
          onClick={() => form.insertListItem('rules', fieldsOf(newRule))}
        >
          Add rule
        </Button>
      </div>
    </ServiceForm>
  )
}

function RuleRow({ form, index }: { form: UseFormReturnType<PolicyFields>; index: number }) {
  const field = (name: keyof RuleFields) => form.getInputProps(`rules.${index}.${name}`)
  return (
    <fieldset className={classes.rule} aria-label={`Rule ${index + 1}`}>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="md">
        <AmountField label="From amount" {...field('min_amount')} />
        <NativeSelect label="Method" data={[{ value: '', label: 'Any' }, ...optionsOf(railNames)]} {...field('rail')} />
        <NativeSelect
          label="Made"
          data={[{ value: '', label: 'Any way' }, ...optionsOf(sourceNames)]}
          {...field('source')}
        />
        <NativeSelect
          label="Needs"
          data={[
            { value: '0', label: 'No approval' },
            { value: '1', label: 'One approval' },
            { value: '2', label: 'Two approvals' },
          ]}
          {...field('approvals')}
        />
      </SimpleGrid>
      <Group justify="space-between" wrap="nowrap" mt="md">
        <Checkbox
          label="Only payees or accounts that are new in the last 7 days"
          {...form.getInputProps(`rules.${index}.new_payee`, { type: 'checkbox' })}
        />
        <Button
          variant="subtle"
          color="red"
          size="compact-sm"
          flex="none"
          aria-label={`Remove rule ${index + 1}`}
          onClick={() => form.removeListItem('rules', index)}
        >
          Remove
        </Button>
      </Group>
    </fieldset>
  )
}

const optionsOf = (names: Record<string, string>) => Object.entries(names).map(([value, label]) => ({ value, label }))
