# Varnish 7 in front of the shop, with FRONT_CACHE_SECONDS=86400 and PURGE_URL=http://127.0.0.1:6081/purge. Goes to /etc/varnish/default.vcl;
# `npm run front` tries this file on other ports. TLS ends before it, at an nginx that sets X-Forwarded-For. TRUST_PROXY names this machine.
vcl 4.1;

backend shop {
    .host = "127.0.0.1";
    .port = "3000";
    .first_byte_timeout = 70s;
}

# The machines on which the shop runs.
acl shops {
    "127.0.0.1";
    "::1";
}

sub vcl_recv {
    if (req.url == "/purge") {
        # What came through nginx has a visitor's address before nginx's own, which Varnish adds.
        if (req.method != "POST" || client.ip !~ shops || req.http.X-Forwarded-For != "" + client.ip) {
            return (synth(405));
        }
        # Keys are words, and become an expression: nothing else may stand among them.
        if (req.http.surrogate-key !~ "^[a-z0-9-]+( [a-z0-9-]+)*$") {
            return (synth(400));
        }
        ban("obj.http.surrogate-key ~ (^|\s)(" + regsuball(req.http.surrogate-key, " ", "|") + ")(\s|$)");
        return (synth(200));
    }
    # What somebody asks as themselves is theirs alone. The shop also says so in each such answer.
    if (req.http.Authorization || req.http.Bearer) {
        return (pass);
    }
    # Each spelling of an address would be kept. What the shop writes has no escapes in its path, no empty part and none that begins with a dot; parameters only
    # in lists, products and their calls, whose answers say which spelling may be kept. (Signed pictures of hidden reviews have some too, and are not kept.)
    if (req.url ~ "^[^?]*(%|//|/\.)" || (req.url ~ "\?" && req.url !~ "^/(api/products|shop\?|product/|\?)")) {
        return (pass);
    }
    # The shop sets and reads none.
    unset req.http.Cookie;
}

# Without the host, which visitors may make up: the shop answers alike for all of them.
sub vcl_hash {
    hash_data(req.url);
    return (lookup);
}

sub vcl_backend_response {
    # What is over, or was dropped, is asked for again before anybody sees it; with its ETag, so that the same need not be sent twice.
    set beresp.grace = 0s;
    set beresp.keep = 1h;
}

sub vcl_deliver {
    if (obj.hits > 0) {
        # The answer is old, the request is not.
        unset resp.http.server-timing;
        set resp.http.x-request-id = req.http.x-request-id;
        set resp.http.x-cache = "hit";
    }
    unset resp.http.surrogate-key;
    unset resp.http.Via;
    unset resp.http.X-Varnish;
}
