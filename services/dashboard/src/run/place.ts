/** A step is known by its scenario and its name. */
export interface Place {
  readonly scenario: string
  readonly step: string
}

export const placeKey = ({ scenario, step }: Place): string => `${scenario}/${step}`

/** With its scenario only where there are several. */
export function placeName({ scenario, step }: Place, several: boolean): string {
  return several ? `${scenario} · ${step}` : step
}

export const hasSeveral = (places: readonly Place[]): boolean =>
  new Set(places.map(({ scenario }) => scenario)).size > 1
