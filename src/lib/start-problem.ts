/** Something that keeps the program from starting and that its user can mend: printed as it is, without a stack. */
export class StartProblem extends Error {
  override name = 'StartProblem'
}
