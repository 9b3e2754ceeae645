#!/bin/sh
# Signs a message with the key of its account and posts it, with nothing but batchgate and curl.
#
# usage: send.sh OPERATION FILE [more for curl]     for example: send.sh capture capture.json -i
#   URL             where `batchgate serve` listens (http://127.0.0.1:8080)
#   BATCHGATE       how batchgate is called (batchgate)
#   BATCHGATE_DATA  the data directory that has the key (./batchgate-data)
set -eu
operation=$1
file=$2
shift 2
[ "$operation" != query ] || operation=retrievalTrans

# The signature covers what the message says and not how it is written: its field may stand anywhere.
signature=$(${BATCHGATE:-batchgate} sign "$file")
sed "1s/{/{\"encryption_data\": \"$signature\",/" "$file" |
  curl --silent --show-error --max-time 30 --header 'Content-Type: application/json' --data-binary @- "$@" \
    "${URL:-http://127.0.0.1:8080}/v1/$operation"
echo
