import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import open from 'better-sqlite3'
import { afterAll, expect, test } from 'vitest'
import { itemOf } from '../catalog.ts'
import { createShopFile } from './shop-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'onrush-shop-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('makes the same shop each time', async () => {
  const file = join(folder, 'shop.sqlite')
  expect(await createShopFile(file)).toBe(file)
  const shop = open(file)
  expect(shop.prepare('select * from items where id = 37').get()).toEqual(itemOf(37))
  expect(shop.prepare('select count(*) as n from items').get()).toEqual({ n: 1000 })
  expect(shop.prepare("select * from users where name = 'user-10'").get()).toEqual({
    name: 'user-10',
    password: 'secret',
    active: 0,
    since: '2026-01-10 00:00:00',
  })
  shop.prepare("insert into orders (user, item, quantity, total) values ('user-1', 7, 2, 10)").run()
  expect(() =>
    shop.prepare("insert into orders (user, item, quantity, total) values ('nobody', 7, 2, 10)").run(),
  ).toThrow(/FOREIGN KEY/)
  shop.close()
  await createShopFile(file)
  const again = open(file)
  expect(again.prepare('select count(*) as n from orders').get()).toEqual({ n: 0 })
  again.close()
})

test('leaves what is not its own alone', async () => {
  const notes = join(folder, 'notes.txt')
  writeFileSync(notes, 'mine')
  const other = join(folder, 'other.sqlite')
  open(other).exec('create table mine (id)').close()
  for (const file of [notes, other]) await expect(createShopFile(file)).rejects.toThrow('no shop of an earlier start')
  expect(readFileSync(notes, 'utf8')).toBe('mine')
  expect(existsSync(other)).toBe(true)
  await expect(createShopFile(join(folder, 'no', 'such', 'folder'))).rejects.toThrow('cannot make')
})
