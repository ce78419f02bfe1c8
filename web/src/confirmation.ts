/** Asks the owner for the password or a code. Resolves to whether the owner confirmed. */
type Confirm = () => Promise<boolean>

let confirm: Confirm | null = null

/** Registers the dialog, which exists as long as the app. */
export const setConfirmation = (dialog: Confirm | null) => {
  confirm = dialog
}

export const askForConfirmation: Confirm = async () => (confirm ? confirm() : false)
