# Reads orders, requests to cancel and answers twice: with the classes of PyPI's pyiso20022, and with Python's own XML reader. Validates them
# with PyPI's xmlschema where there is a schema. Prints a line of JSON for each file: [reference, amount, currency, name of the payee] of each
# order, or [reference, status] of each answer, in the order of the file.
# Usage: read-orders.py FOLDER_OF_SCHEMAS FILE…
import importlib, json, os, re, sys
import xml.etree.ElementTree as ElementTree
from xsdata.formats.dataclass.context import XmlContext
from xsdata.formats.dataclass.parsers import XmlParser
from xsdata.formats.dataclass.serializers import XmlSerializer

# The context holds what is known about each class. A context of its own for each message would analyze all classes again.
context = XmlContext()
parser = XmlParser(context=context)
serializer = XmlSerializer(context=context)

# pyiso20022 writes elements in the order of the schema. This shows the order of messages without one.
def names(text):
    return re.findall(r'<(?:\w+:)?(\w+)[ >]', text.split('?>', 1)[-1])

def rows(document):
    if hasattr(document, 'cstmr_cdt_trf_initn'):
        for payment in document.cstmr_cdt_trf_initn.pmt_inf:
            for one in payment.cdt_trf_tx_inf:
                amount = one.amt.instd_amt
                yield [one.pmt_id.end_to_end_id, str(amount.value), amount.ccy, one.cdtr.nm]
    elif hasattr(document, 'cstmr_pmt_sts_rpt'):
        for payment in document.cstmr_pmt_sts_rpt.orgnl_pmt_inf_and_sts:
            for one in payment.tx_inf_and_sts:
                yield [one.orgnl_end_to_end_id, getattr(one.tx_sts, 'value', one.tx_sts)]
    elif hasattr(document, 'rsltn_of_invstgtn'):
        for details in document.rsltn_of_invstgtn.cxl_dtls:
            for payment in details.orgnl_pmt_inf_and_sts:
                for one in payment.tx_inf_and_sts:
                    yield [one.orgnl_end_to_end_id, getattr(one.tx_cxl_sts, 'value', one.tx_cxl_sts)]
    else:
        for underlying in document.cstmr_pmt_cxl_req.undrlyg:
            for payment in underlying.orgnl_pmt_inf_and_cxl:
                for one in payment.tx_inf:
                    amount = one.orgnl_instd_amt
                    yield [one.orgnl_end_to_end_id, str(amount.value), amount.ccy, None]

def plain_rows(text):
    """The same rows, without classes."""
    root = ElementTree.fromstring(text)
    space = {'x': root.tag[1:].split('}')[0]}
    def said(one, *paths):
        return next((found.text for found in (one.find(path, space) for path in paths) if found is not None), None)
    def amount(one, path):
        found = one.find(path, space)
        return [found.text, found.get('Ccy')]
    for one in root.iterfind('.//x:CdtTrfTxInf', space):
        yield [said(one, 'x:PmtId/x:EndToEndId'), *amount(one, 'x:Amt/x:InstdAmt'), said(one, 'x:Cdtr/x:Nm')]
    for one in root.iterfind('.//x:TxInfAndSts', space):
        yield [said(one, 'x:OrgnlEndToEndId'), said(one, 'x:TxSts', 'x:TxCxlSts')]
    for one in root.iterfind('.//x:OrgnlPmtInfAndCxl/x:TxInf', space):
        yield [said(one, 'x:OrgnlEndToEndId'), *amount(one, 'x:OrgnlInstdAmt'), None]

validators = {}
def validate(schema, path):
    if schema not in validators:
        import xmlschema
        validators[schema] = xmlschema.XMLSchema(schema)
    validators[schema].validate(path)

schemas, *files = sys.argv[1:]
for path in files:
    try:
        with open(path, encoding='utf-8') as file:
            text = file.read()
        message = re.search(r'xsd:((\w+)\.\d{3}\.\d{3}\.\d\d)"', text)
        module = importlib.import_module(f"pyiso20022.{message[2]}.{message[1].replace('.', '_')}")
        document = parser.from_string(text, module.Document)
        found = list(rows(document))
        if list(plain_rows(text)) != found:
            raise ValueError('the two readers differ')
        if names(serializer.render(document)) != names(text):
            raise ValueError('the elements are in another order')
        schema = os.path.join(schemas, f'{message[1]}.xsd')
        if os.path.exists(schema):
            validate(schema, path)
        print(json.dumps({'rows': found, 'validated': os.path.exists(schema)}), flush=True)
    except Exception as error:
        print(json.dumps({'error': f'{type(error).__name__}: {error}'[:300]}), flush=True)
