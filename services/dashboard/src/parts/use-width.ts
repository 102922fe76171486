import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

/** The width that an element has, for what is drawn into it. */
export function useWidth<E extends HTMLElement>(first: number): readonly [RefObject<E | null>, number] {
  const element = useRef<E>(null)
  const [width, setWidth] = useState(first)
  useEffect(() => {
    const target = element.current
    if (target === null) return
    const measure = () => setWidth(before => target.clientWidth || before)
    const sizes = new ResizeObserver(measure)
    sizes.observe(target)
    measure()
    return () => sizes.disconnect()
  }, [])
  return [element, width]
}
