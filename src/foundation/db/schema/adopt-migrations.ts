import { StartProblem } from '../../lib/start-problem.ts'
import type { Sql } from '../connect.ts'

const BASELINE = '0009_baseline.sql'

/** The migrations of version 0.1 and their SHA-256. The baseline has replaced them. */
const RELEASE_0_1: Record<string, string> = {
  '0001_users_and_banks.sql': '8a2fccb8ce9bf1a89821f491300f9f7dbced7d64f0a96eaef7bd7895867418db',
  '0002_webhooks.sql': '584efa53a1f32fba32b6ca9fd640fd0ecc8d42783bb5b3ab11185fe64d5716f7',
  '0003_payments.sql': '880c136ccb8e93fd8d14c06c9d665903e2a7dda19afeda3c45ab7a530945ccb7',
  '0004_owners_and_applications.sql': '456ec33d6d24ee36ebdc1e049bf353e283f501f84e1866ad3919495f3940d50f',
  '0005_money.sql': '1c92e77957ab173ab8f3a0988583e0ef240cbba28c5b6733e977e577039a9183',
  '0006_webhook_endpoints.sql': '339831340b1895ac211d0238b78c7b8cd29a4feeabe6be1f9abfe426dda0d8c9',
  '0007_check_serials.sql': 'e9def0b3c96cfbd1740ddf94e76ca2795050d381b9f65b54a9aa12a3a1e71c21',
  '0008_hot_path.sql': '95ca46bafc6b1a3ef7977b076a5f64c111e6cb13b88e0e518d3e9e3a30bd9f3f',
  '0009_payments_together.sql': '88a88efed9660e8dfa9bd49f71aabf458f273acfaee4dd0322fb06a25334bdba',
}

/**
 * Migrations after version 0.1 that were edited before the next release, and their former SHA-256. Their functions moved
 * to files of their own and their comments changed. The tables that they create stayed the same.
 */
const UNRELEASED: Record<string, string> = {
  '0010_exceptions.sql': 'bab065c0f51437b3e437687df2eb315b11949e661c7385336cc9f7553ff2fd2b',
  '0011_held_legs.sql': '4564ad6ce9004631754ec269696277581fd617d0c80a5051a6eb4122f4b99df5',
  '0012_bounded_clocks.sql': 'fa47e3a2dadf0420ec1bc35735ac87d6f10a32e5d3b78abac9d792ff4a56a691',
  '0013_ach_return_matching.sql': '94e5d448bcf54d0b09c733f2385a45b52357624744555d197b6e002bf139f785',
  '0014_bank_files.sql': '4b75e4c79f4ae7ef6684e373a5051de9fd13eb3fcddd362659f7cc9abfe42d80',
  '0015_ach_inbound_parts.sql': 'c98962a72410e7b9d2566c366ff9de353f0bfb1c203729b96aa46e0f899568d8',
  '0016_issue_files.sql': '1704d28e51173b53fa9e0ad57a523df2bf72c664c64afd8094c96856fa6d8a8a',
  '0017_account_blocks.sql': '742323c0f957e9c107f9af453a841ab31c9fe2bc74b38309a86b3108cda894c2',
  '0018_restore.sql': '02657ab6c4a28aac353e9cc8d6d513d522dc9eb74d168fd92eed11fcd5d94c58',
  '0019_default_card.sql': 'd0ac04c3a64556899f3b60b23767fa4763c496c0c7c897427048d82c143abaff',
  '0020_wallet_type.sql': 'a114c1023d03929856108637a0d94759325323ec576f72289505d67ae9919834',
  '0021_debtors.sql': '1556c012f356b2b242d05ba1aef9c49da3c4a2fc2d50c501fea012db560c16a8',
  '0022_ach_inbound_progress.sql': '12e80aa5f8949250b6ee23992747be340c3ba4cd61f22fa8f0ada89aee74fdaa',
  '0023_status_changes_planned_once.sql': '0bf13fd15beeadc5c27369e6b7fddf807aa4af5c704f5421c5fb49a23dba0e7d',
  '0024_recipient_mail.sql': '486cc6fd08fed329dce903a59b19f3519c583f12349568d7724c62197a9fcd79',
  '0025_stopped_platforms.sql': 'c7a52f94a195a79773b7a3f5dd79fceb31f815a373ac8677dad9c73710461918',
  '0026_audit_chain.sql': 'c0d0b4202091f375a05a390bbdd4367cdd80feef615576de637cf1b3e534d6c9',
  '0027_shown_secrets.sql': '143fc3b063ff5ed6ffa59e087e101a5f4323c74c281b15c25da37180317dc262',
  '0028_rotating_refresh_tokens.sql': 'fad40a2d39f11d85632b618f4205d47a0e0e6114196c5333864b181ef035ce42',
  '0029_functions_in_files.sql': '47be86fe67515377879d8a37fce7b2fb2464a6e9bc9350bf625f2c1b4e016d73',
}

type Migration = { name: string; checksum: string }
type Applied = Migration & { number: number }

/**
 * Rewrites the migration history of an older database so that the current migrations can continue it: one of version
 * 0.1, or of an unreleased version after it. Changes only the table `migrations`.
 *
 * @throws StartProblem when the database has only some migrations of version 0.1, or other ones
 */
export async function adoptMigrations(tx: Sql, current: readonly Migration[]): Promise<void> {
  const applied = await tx<Applied[]>`select number, name, checksum from migrations order by number`
  const released = applied.filter(({ number, name }) => number <= 9 && name !== BASELINE)
  if (released.length > 0) await adoptRelease(tx, released, current)
  await adoptUnreleased(tx, applied, current)
}

async function adoptRelease(tx: Sql, released: readonly Applied[], current: readonly Migration[]): Promise<void> {
  const checksums = new Map(released.map(({ name, checksum }) => [name, checksum]))
  const missing = Object.keys(RELEASE_0_1).find((name) => !checksums.has(name))
  if (missing) {
    throw new StartProblem(
      `The database lacks the migration ${missing} of version 0.1. Start version 0.1 with this database first, then this version.`,
    )
  }
  const other = released.find(({ name, checksum }) => RELEASE_0_1[name] !== checksum)
  if (other) {
    throw new StartProblem(
      `Migration ${other.name} of this database differs from version 0.1. Only databases of version 0.1 and later can be upgraded. Restore a backup made with version 0.1.`,
    )
  }
  await tx`delete from migrations where number < 9`
  await tx`update migrations set name = ${BASELINE}, checksum = ${checksumOf(current, BASELINE)} where number = 9`
}

async function adoptUnreleased(tx: Sql, applied: readonly Applied[], current: readonly Migration[]): Promise<void> {
  for (const { number, name, checksum } of applied) {
    if (UNRELEASED[name] !== checksum) continue
    const adopted = checksumOf(current, name)
    // No file, because the migration contained only a function.
    if (adopted === null) await tx`delete from migrations where number = ${number}`
    else await tx`update migrations set checksum = ${adopted} where number = ${number}`
  }
}

const checksumOf = (current: readonly Migration[], name: string): string | null =>
  current.find((migration) => migration.name === name)?.checksum ?? null
