/** Why an act cannot be done, in one sentence for the person who wanted it. */
export interface Refusal {
  readonly refusal: string;
}
