/** The ends of a name tell most: `checkout of a ve…ry long basket`. The whole stands in the tooltip. */
export function MiddleCut({ text, most = 48 }: { text: string; most?: number }) {
  const letters = [...text]
  if (letters.length <= most) return <>{text}</>
  const half = Math.floor((most - 1) / 2)
  return (
    <span title={text}>
      {letters.slice(0, half).join('')}…{letters.slice(-half).join('')}
    </span>
  )
}
