export type Segment =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'wildcard' }
  | { readonly kind: 'descent' }
  | { readonly kind: 'slice'; readonly from: string; readonly to: string; readonly step: string }
  | { readonly kind: 'keys'; readonly keys: readonly string[] }
  | { readonly kind: 'indexes'; readonly indexes: readonly number[] }
  | { readonly kind: 'filter'; readonly expression: string }

export type DefiniteSegment = Extract<Segment, { kind: 'key' | 'index' }>

export function isDefinite(segment: Segment): segment is DefiniteSegment {
  return segment.kind === 'key' || segment.kind === 'index'
}
