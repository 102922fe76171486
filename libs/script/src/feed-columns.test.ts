import { describe, expect, it } from 'vitest'
import { feedColumns } from './feed-columns.ts'
import { scriptFolder } from './testing/script-folder.ts'

const { write } = scriptFolder()

describe('the columns of a feed', () => {
  it.each([
    ['users.csv', 'user,password\nada,secret\n', {}, ['user', 'password']],
    ['bom.csv', '\uFEFFuser,password\r\nada,secret\r\n', {}, ['user', 'password']],
    ['quoted.csv', '"the user","pass\nword","a ""b"""\nada,secret,1\n', {}, ['the user', 'pass\nword', 'a "b"']],
    ['semicolon.csv', 'user;password\nada;secret\n', { delimiter: ';' }, ['user', 'password']],
    ['bare.csv', 'ada,secret\n', { columns: ['user', 'password'] }, ['user', 'password']],
    ['users.txt', 'user\nada\n', { format: 'csv' as const }, ['user']],
    ['users.json', '[{ "user": "ada" }, { "role": "admin" }]', {}, ['user', 'role']],
    ['users.jsonl', '{ "user": "ada" }\n\n{ "role": "admin" }\n', {}, ['user', 'role']],
    ['users.ndjson', `{ "user": "${'a'.repeat(600_000)}" }\n`.repeat(3), {}, ['user']],
  ])('reads those of %s', async (name, text, options, columns) => {
    const file = write(name, text)
    expect(await feedColumns({ file: name, ...options }, file)).toEqual(columns)
  })

  it('takes those of all rows that stand in the script', async () => {
    expect(await feedColumns({ rows: [{ a: 1 }, { b: 2 }] }, undefined)).toEqual(['a', 'b'])
  })

  it.each([
    ['empty.csv', '', 'is empty'],
    ['twice.csv', 'a,b,a\n', 'two columns'],
    ['broken.csv', '"a,b\n', 'is not csv'],
    ['map.json', '{}', 'expected a list'],
    ['odd.json', '[{}, 3]', 'row 2'],
    ['none.json', '[]', 'holds none'],
    ['broken.json', '[', 'is not json'],
    ['broken.jsonl', '{}\n{\n', 'is not jsonl'],
    ['users.xlsx', 'x', 'expected a name that ends with .csv'],
  ])('refuses %s', async (name, text, message) => {
    expect(await feedColumns({ file: name }, write(name, text))).toContain(message)
  })
})
