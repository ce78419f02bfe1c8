# Prints what PyPI's camt053 reads in a file: [account, direction, amount] of each entry.
import json, sys
from camt053.parse.statement_parser import parse_document

for path in sys.argv[1:]:
    try:
        with open(path, encoding='utf-8') as file:
            document = parse_document(file.read())
        rows = [
            [one.account.iban or one.account.other_id, entry.credit_debit_indicator, entry.amount]
            for one in document.statements
            for entry in one.entries
        ]
        print(json.dumps(rows))
    except Exception as error:
        print(json.dumps({'error': f'{type(error).__name__}: {error}'[:200]}))
