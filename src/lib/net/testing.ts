/**
 * For tests: a certificate for `api.example.org` that is its own authority, good until 2126. Its key guards nothing.
 */

export const certificate = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg9vC32RcBu354u8/e
fuQqdn8sEm46xwttXTBdVAUuAguhRANCAATf/OgBuqFZrGWwZLdWLG1P2GavwNVu
Lc8pfhBmexvk9TrMgxJfnR9sa5/Y9xKWc3CPXQ4f7N/NnH91/pH4LUMg
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBpjCCAU2gAwIBAgIUIu8ieEoBLmsUrfeBRHVZlE3tg9wwCgYIKoZIzj0EAwIw
GjEYMBYGA1UEAwwPYXBpLmV4YW1wbGUub3JnMCAXDTI2MTEyMTA4NDAwN1oYDzIx
MjYxMDI4MDg0MDA3WjAaMRgwFgYDVQQDDA9hcGkuZXhhbXBsZS5vcmcwWTATBgcq
hkjOPQIBBggqhkjOPQMBBwNCAATf/OgBuqFZrGWwZLdWLG1P2GavwNVuLc8pfhBm
exvk9TrMgxJfnR9sa5/Y9xKWc3CPXQ4f7N/NnH91/pH4LUMgo28wbTAdBgNVHQ4E
FgQUs+ytROzY+isISFfRRpX7uozwqS0wHwYDVR0jBBgwFoAUs+ytROzY+isISFfR
RpX7uozwqS0wDwYDVR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgg9hcGkuZXhhbXBs
ZS5vcmcwCgYIKoZIzj0EAwIDRwAwRAIgCp7eP5NqL2FBSLik4vVhfIjOnQuIl1Sw
3qLs8hj/TYsCIBWlRaLgxRsCNRZLjLjFyrEvR2au5auOa1U8AAKSYJMT
-----END CERTIFICATE-----
`,
};
