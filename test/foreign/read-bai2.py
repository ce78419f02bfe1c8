# Prints what PyPI's bai2 reads in a file: [account, code, unsigned amount] of each transaction.
import json, sys
from bai2 import bai2

def read(path):
    with open(path, encoding='utf-8') as file:
        return bai2.parse_from_file(file, check_integrity=False)

for path in sys.argv[1:]:
    try:
        rows = [
            [account.header.customer_account_number, line.type_code.code, line.amount]
            for group in read(path).children
            for account in group.children
            for line in account.children
        ]
        print(json.dumps(rows))
    except Exception as error:
        print(json.dumps({'error': f'{type(error).__name__}: {error}'[:200]}))
