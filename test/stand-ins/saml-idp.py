"""A SAML identity provider by pysaml2, an independent implementation: it reads our requests and signs answers.

saml-idp.py FOLDER reads commands, one a line, and prints a line of Base64 for each:

metadata               the metadata of the provider
answer SIGN REQUEST    the answer to the request of a redirect. SIGN says what is signed: assertion, response or both

FOLDER has idp.key and idp.pem, and for an answer sp.xml, our metadata.
"""

import base64
import os
import sys

from saml2 import BINDING_HTTP_REDIRECT
from saml2.authn_context import PASSWORDPROTECTEDTRANSPORT
from saml2.config import IdPConfig
from saml2.metadata import entity_descriptor
from saml2.saml import NAMEID_FORMAT_PERSISTENT, NameID
from saml2.server import Server

ENTITY = "https://id.example.org/saml"


def config(folder, has_client):
    return IdPConfig().load(
        {
            "entityid": ENTITY,
            "xmlsec_binary": "/usr/bin/xmlsec1",
            "key_file": os.path.join(folder, "idp.key"),
            "cert_file": os.path.join(folder, "idp.pem"),
            "metadata": {"local": [os.path.join(folder, "sp.xml")]} if has_client else {},
            "service": {
                "idp": {
                    "endpoints": {"single_sign_on_service": [("https://id.example.org/sso", BINDING_HTTP_REDIRECT)]},
                    "policy": {"default": {"lifetime": {"minutes": 5}, "nameid_format": NAMEID_FORMAT_PERSISTENT}},
                }
            },
        }
    )


def answer(folder, sign, request):
    server = Server(config=config(folder, True))
    asked = server.parse_authn_request(request, BINDING_HTTP_REDIRECT)
    places = server.response_args(asked.message)
    response = server.create_authn_response(
        {"displayName": ["Vic Vega"]},
        in_response_to=places["in_response_to"],
        destination=places["destination"],
        sp_entity_id=places["sp_entity_id"],
        name_id=NameID(format=NAMEID_FORMAT_PERSISTENT, text="vic-1"),
        authn={"class_ref": PASSWORDPROTECTEDTRANSPORT, "authn_auth": ENTITY},
        sign_assertion=sign in ("assertion", "both"),
        sign_response=sign in ("response", "both"),
        sign_alg="http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
        digest_alg="http://www.w3.org/2001/04/xmlenc#sha256",
    )
    return str(response)


folder = sys.argv[1]
for line in sys.stdin:
    command, *words = line.split()
    said = str(entity_descriptor(config(folder, False))) if command == "metadata" else answer(folder, *words)
    print(base64.b64encode(said.encode()).decode(), flush=True)
