/** What scrolls, or answers to keys without being a control, must be reachable by keyboard. */
export const reachable = { tabIndex: 0 } as const
