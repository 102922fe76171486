import { describe, expect, it } from 'vitest'
import { scanStatement } from './placeholders.ts'

describe('PostgreSQL', () => {
  it.each([
    ['select ?', 'select $1', 1],
    ['select ? + ?', 'select $1 + $2', 2],
    ["select 'what?', ?", "select 'what?', $1", 1],
    ["select 'it''s ?', ?", "select 'it''s ?', $1", 1],
    ["select E'\\'?', ?", "select E'\\'?', $1", 1],
    ['select "a?" from t where x = ?', 'select "a?" from t where x = $1', 1],
    ['select ? -- why?\n, ?', 'select $1 -- why?\n, $2', 2],
    ['select /* ? /* ? */ ? */ ?', 'select /* ? /* ? */ ? */ $1', 1],
    ['select $$ ? $$, ?', 'select $$ ? $$, $1', 1],
    ['select $q$ ? $$ ? $q$, ?', 'select $q$ ? $$ ? $q$, $1', 1],
    ["select data \\? 'key', ?", "select data ? 'key', $1", 1],
    ["select data ? 'key', $1", "select data ? 'key', $1", 1],
    ['select $2, $1, $2', 'select $2, $1, $2', 2],
    ['select a$1 from t', 'select a$1 from t', 0],
    ['select 1', 'select 1', 0],
  ])('%s', (written, text, values) => {
    expect(scanStatement('pg', written)).toEqual({ text, values, fault: undefined })
  })
})

describe('MariaDB', () => {
  it.each([
    ['select ?, ?', 2],
    ["select 'a\\'?', ?", 1],
    ['select "a?", `b?`, ?', 1],
    ['select ? -- ?\n, ? # ?\n, ?', 3],
    ['select 1--?', 1],
    ['select /* ? */ ?', 1],
  ])('%s', (text, values) => {
    expect(scanStatement('mysql2', text)).toEqual({ text, values, fault: undefined })
  })
})

describe('SQLite', () => {
  it.each([
    ['select ?, ?', 2],
    ['select \'a?\', "b?", [c?], `d?`, ?', 1],
    ['select ? -- ?', 1],
  ])('%s', (text, values) => {
    expect(scanStatement('better-sqlite3', text)).toEqual({ text, values, fault: undefined })
  })
  it.each(['select ?1', 'select :a', 'select @a', 'select $a'])('refuses names: %s', text => {
    expect(scanStatement('better-sqlite3', text).fault).toMatch(/expected \? for each value/)
  })
})
