/** A problem that prevents the start and that the operator can fix. It is printed without a stack trace. */
export class StartProblem extends Error {
  override name = 'StartProblem'
}
