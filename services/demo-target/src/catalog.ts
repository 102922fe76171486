export interface Item {
  readonly id: number
  readonly name: string
  readonly price: number
  readonly stock: number
}

export const itemCount = 1000
export const pageSize = 20
export const pageCount = itemCount / pageSize

const kinds = ['lamp', 'chair', 'desk', 'shelf', 'mug', 'kettle', 'clock', 'rug', 'vase', 'stool']

/** Item 1…1000, made from its number: 37 and 9900 share no factor, so prices spread evenly over 1.00…99.99. */
export function itemOf(id: number): Item {
  return {
    id,
    name: `${kinds[id % kinds.length]} ${id}`,
    price: (100 + ((id * 37) % 9900)) / 100,
    stock: (id * 7) % 50,
  }
}

export function pageOf(page: number): Item[] {
  return Array.from({ length: pageSize }, (_, i) => itemOf((page - 1) * pageSize + i + 1))
}
