/**
 * Returns a file for one bank, with comments, for `remit connections init`.
 *
 * @param schema the path of the schema, relative to the folder of the file, for editors
 */
export const exampleText = (schema: string): string => `{
  // Your banks. Comments and trailing commas are allowed.
  // Check this file with "remit connections check". docs/connections-reference.md explains every key.
  "$schema": ${JSON.stringify(schema)},

  "connections": [
    {
      // The name of this connection in commands, exceptions and metrics.
      "id": "first",

      // How files reach the bank. If a job of yours moves them, use instead:
      // "transport": { "type": "folder", "path": "/var/lib/remit/first" },
      "transport": {
        "type": "sftp",
        "host": "sftp.bank.example",
        "user": "acme",
        // Secrets are files of their own, readable only by the service (chmod 600). Paths begin in the folder of this file.
        "key_file": "secrets/first.key",
        // Ask the bank for the fingerprint of its host key. Compare: ssh-keyscan sftp.bank.example | ssh-keygen -lf -
        "host_keys": ["SHA256:0000000000000000000000000000000000000000000"],
        // Folders on the server, as the bank names them: "out" is where you upload.
        "out": "/inbound",
        "in": "/outbound",
        // "pgp": { "encrypt_to_files": ["first-bank.asc"], "sign_with_file": "secrets/first-pgp.asc" },
      },

      // The time zone of the cut-offs below.
      "zone": "America/New_York",
      // Days on which this bank is closed, in addition to the holidays of the Federal Reserve.
      // "holidays": ["2026-12-24"],
      // If no file arrived from the bank by then, you get an exception.
      // "expected": "each banking day by 09:00",

      // Your accounts at the bank. The number is in a file: printf 1234567890 > secrets/operating.number
      "accounts": [{ "id": "operating", "routing": "091000019", "number_file": "secrets/operating.number" }],

      // ACH files, with the values of your agreement with the bank.
      "ach": {
        "destination": "091000019",
        "destination_name": "FIRST EXAMPLE BANK",
        "origin": "1123456789",
        "origin_name": "EXAMPLE PAYMENTS INC",
        "company_name": "EXAMPLE PAYMENTS",
        "company_id": "1123456789",
        "odfi": "091000019",
        "windows": ["12:00", "17:00"],
        // "none" if the bank does not acknowledge files.
        "acknowledgements": "required",
        // "balancing_account": "operating",
        // "limits": { "entries_per_file": 10000, "amount_per_file": 500000, "amount_per_day": 1000000 },
      },

      // Paper checks. Remove this section and the rails MAIL and PRINT if you send none.
      "checks": {
        "account": "operating",
        "company_name": "Example Payments Inc.",
        "bank_name": "First Example Bank",
        "first_check_number": 1001,
      },

      // Wires and real-time payments. Remove this section and the rails RTP, WIRE and SWIFT if the bank has none.
      "iso20022": {
        // "profile_schemas": "first-bank-schemas", // nothing is sent that these XML schemas of the bank refuse
        "initiating_party": { "name": "Example Payments Inc.", "id": "EXAMPLE01" },
        "account": "operating", "holder": "Example Payments Inc.",
        "holder_address": { "street": "Main Street", "building": "1", "town": "Minneapolis", "country": "US" },
        "rails": {
          "RTP": { "service_level": "INST", "local_instrument": "own:RTP" },
          "WIRE": { "service_level": "URGP", "cut_off": "16:30" },
          "SWIFT": { "service_level": "URGP", "charges": "SHAR", "cut_off": "14:00" },
        },
      },
    },
  ],

  // The connection that carries each rail. A rail that is missing is not offered.
  "rails": { "ACH": "first", "MAIL": "first", "PRINT": "first", "RTP": "first", "WIRE": "first", "SWIFT": "first" },
}
`
