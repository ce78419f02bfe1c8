import { Button, Menu, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconBookmark, IconCheck, IconChevronDown } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import type { SavedView } from '../../answers.ts'
import { api } from '../../api.ts'
import { errorText } from '../../form/field-errors.ts'
import { isGiven } from '../../form/form-rules.ts'
import { ServiceForm } from '../../form/service-form.tsx'
import { useSending } from '../../form/use-sending.ts'
import { WorkingButton } from '../../form/working-button.tsx'
import { notify } from '../../shown/notify.ts'
import { countFilters, isSameList, type ListFilters, readPaymentFilters } from './payment-filters.ts'
import { viewsQuery } from './payment-queries.ts'

const MAX_NAME_LENGTH = 60
const named = { name: isGiven('Enter a name.') }

/** The saved filters of the member. Other members do not see them. */
export function SavedViews({ filters }: { filters: ListFilters }) {
  const { data, isPending } = useQuery(viewsQuery)
  const [dialog, setDialog] = useState<'save' | 'manage' | null>(null)
  const target = useRef<HTMLButtonElement>(null)
  const views = data?.views ?? []
  const shown = views.find((view) => isSameList(view.filters, filters))
  const close = () => {
    setDialog(null)
    target.current?.focus()
  }
  return (
    <>
      <Menu position="bottom-end" width={280}>
        <Menu.Target>
          <Button
            ref={target}
            variant="default"
            leftSection={<IconBookmark size={16} aria-hidden />}
            rightSection={<IconChevronDown size={14} aria-hidden />}
            maw={260}
          >
            {shown?.name ?? 'Views'}
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah={420} style={{ overflowY: 'auto' }}>
          {views.length === 0 && <Menu.Label>{isPending ? 'Loading…' : 'No saved views yet'}</Menu.Label>}
          {views.map((view) => (
            <Menu.Item
              key={view.id}
              renderRoot={(props) => <Link to="/payments" search={readPaymentFilters(view.filters)} {...props} />}
              rightSection={view === shown && <IconCheck size={16} aria-label="Open" />}
            >
              {view.name}
            </Menu.Item>
          ))}
          <Menu.Divider />
          {!isPending && (
            <Menu.Item disabled={countFilters(filters) === 0 || shown !== undefined} onClick={() => setDialog('save')}>
              Save these filters
            </Menu.Item>
          )}
          {views.length > 0 && <Menu.Item onClick={() => setDialog('manage')}>Manage views</Menu.Item>}
        </Menu.Dropdown>
      </Menu>
      <Modal opened={dialog === 'save'} onClose={close} title="Save view" returnFocus={false}>
        <SaveForm filters={filters} onDone={close} />
      </Modal>
      <Modal opened={dialog === 'manage'} onClose={close} title="Manage views" returnFocus={false}>
        <ViewsList views={views} limit={data?.limit ?? 0} />
      </Modal>
    </>
  )
}

function SaveForm({ filters, onDone }: { filters: ListFilters; onDone: () => unknown }) {
  const queryClient = useQueryClient()
  const form = useForm({ initialValues: { name: '' }, validate: named })
  return (
    <ServiceForm
      form={form}
      send={({ name }) => api.createView({ name, filters: storedFilters(filters) })}
      onDone={async () => {
        await queryClient.invalidateQueries(viewsQuery)
        onDone()
      }}
      submit="Save view"
    >
      <TextInput
        label="Name"
        description="Only you see your views"
        maxLength={MAX_NAME_LENGTH}
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('name')}
      />
    </ServiceForm>
  )
}

/** Returns the filters that are set. */
const storedFilters = (filters: ListFilters) =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined)) as SavedView['filters']

/** Renames, moves and deletes views. Stays open after a change, because people often change several views. */
function ViewsList({ views, limit }: { views: SavedView[]; limit: number }) {
  const list = useRef<HTMLDivElement>(null)
  return (
    <Stack ref={list} gap="lg" tabIndex={-1}>
      <Text size="sm" c="dimmed" role="status">
        {views.length} of {limit} views
      </Text>
      {views.map((view) => (
        <ViewForm key={view.id} view={view} onDeleted={() => list.current?.focus()} />
      ))}
    </Stack>
  )
}

function ViewForm({ view, onDeleted }: { view: SavedView; onDeleted: () => unknown }) {
  const queryClient = useQueryClient()
  const refresh = () => queryClient.invalidateQueries(viewsQuery)
  const form = useForm({ initialValues: { name: view.name }, validate: named })
  const deleting = useSending({
    mutationFn: () => api.deleteView(view.id),
    onSuccess: async () => {
      await refresh()
      onDeleted()
    },
    onError: (error) => notify(errorText(error)),
  })
  return (
    <ServiceForm
      form={form}
      send={({ name }) => api.changeView(view.id, { name })}
      onDone={async () => {
        await refresh()
        notify('View renamed')
      }}
      submit="Rename"
      aside={
        <WorkingButton
          variant="default"
          working={deleting.isPending}
          aria-label={`Delete ${view.name}`}
          onClick={() => deleting.mutate()}
        >
          Delete
        </WorkingButton>
      }
    >
      <TextInput
        label={`Name of “${view.name}”`}
        maxLength={MAX_NAME_LENGTH}
        autoComplete="off"
        {...form.getInputProps('name')}
      />
    </ServiceForm>
  )
}
