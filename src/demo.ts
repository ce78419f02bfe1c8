export async function runDemo(_flags: object): Promise<number> {
  return 1
}
