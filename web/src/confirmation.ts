/** Asks the owner for the password or a code. Resolves with whether it was given. */
type Confirm = () => Promise<boolean>

let confirm: Confirm | null = null

/** The dialog, which is there as long as the app is. */
export const setConfirmation = (dialog: Confirm | null) => {
  confirm = dialog
}

export const askForConfirmation: Confirm = async () => (confirm ? confirm() : false)
