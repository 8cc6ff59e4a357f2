# The authorization server of the tests, for the proofs of packages, whose shells read this file.

# start_issuer FOLDER: starts it, with its files in the folder, and sets issuer to its address. It ends with this shell.
start_issuer() {
  [ -x api/src/test/peers/mcp/node_modules/node/bin/node ] && [ -d api/src/test/peers/oidc-provider/node_modules ] ||
    fail "the authorization server is not installed: sh .setup install"
  mkfifo "$1/issuer.in"
  (cd api/src/test/peers/oidc-provider && exec ../mcp/node_modules/node/bin/node server.mjs) \
    <"$1/issuer.in" >"$1/issuer" 2>"$1/issuer.err" &
  issuer_process=$!
  exec 8>"$1/issuer.in"
  attempts=300
  until [ -s "$1/issuer" ]; do
    attempts=$((attempts - 1))
    [ $attempts -gt 0 ] || fail "the authorization server did not start within half a minute"
    sleep 0.1
  done
  issuer=$(head -n 1 "$1/issuer")
}

# Prints a token for gatebook that it signed for its service.
token() {
  curl -sS --max-time 30 "$issuer/token" -d grant_type=client_credentials -d client_id=service \
    -d client_secret=secret-of-the-service -d resource=https://gatebook/mcp | sed 's/.*"access_token":"\([^"]*\)".*/\1/'
}

# Prints the section of the rules for callers with such tokens.
sign_on() {
  printf 'sign_on: [{name: company, issuer: "%s", audience: "https://gatebook/mcp", callers: {}}]\n' "$issuer"
}
