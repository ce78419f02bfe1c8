// Generated from the schemas of the routes by "npm run generate". Do not edit.

export interface paths {
    "/v3/webhook/endpoint": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    page?: number;
                    per_page?: 10 | 25 | 50 | 100 | 250;
                    q?: string;
                    sort?: string;
                    cursor?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            endpoints: {
                                id: string;
                                url: string;
                                name: string | null;
                                event_types: ("CHECK" | "INVOICE" | "BANK" | "USER" | "PREFUND_ACCOUNT" | "CHECKBOOK" | "SUBSCRIPTION" | "MAIL")[];
                                /**
                                 * @description THIN: `id`, `type`, `status` and little else. FULL: the same fields, then `event`, `date` and `object`: the object as its `GET` returns it to the owner of the platform, when the first attempt is made.
                                 * @enum {string}
                                 */
                                body_format: "THIN" | "FULL";
                                /**
                                 * @description DISABLED: nothing is sent to the endpoint
                                 * @enum {string}
                                 */
                                status: "ENABLED" | "DISABLED";
                                /**
                                 * @description OWNER: disabled by the owner. GONE: the endpoint answered 410. FAILING: no success for five days.
                                 * @enum {string|null}
                                 */
                                disabled_reason: "OWNER" | "GONE" | "FAILING" | null;
                                disabled_date: string | null;
                                /** @description The first failed attempt since the last success */
                                failing_since: string | null;
                                date: string;
                            }[];
                            page?: number;
                            pages?: number;
                            total?: number;
                        };
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description An https URL at a public address. In sandbox and demo also http://localhost, if the operator allows it. */
                        url: string;
                        /** @description a text that is not only white space */
                        name?: string | null;
                        /** @description The event types that are sent to the endpoint. The default is CHECK and INVOICE. */
                        event_types?: ("CHECK" | "INVOICE" | "BANK" | "USER" | "PREFUND_ACCOUNT" | "CHECKBOOK" | "SUBSCRIPTION" | "MAIL")[] | null;
                        /**
                         * @description THIN: `id`, `type`, `status` and little else. FULL: the same fields, then `event`, `date` and `object`: the object as its `GET` returns it to the owner of the platform, when the first attempt is made.
                         * @enum {string|null}
                         */
                        body_format?: "THIN" | "FULL" | null;
                    };
                };
            };
            responses: {
                /** @description Done */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            id: string;
                            url: string;
                            name: string | null;
                            event_types: ("CHECK" | "INVOICE" | "BANK" | "USER" | "PREFUND_ACCOUNT" | "CHECKBOOK" | "SUBSCRIPTION" | "MAIL")[];
                            /**
                             * @description THIN: `id`, `type`, `status` and little else. FULL: the same fields, then `event`, `date` and `object`: the object as its `GET` returns it to the owner of the platform, when the first attempt is made.
                             * @enum {string}
                             */
                            body_format: "THIN" | "FULL";
                            /**
                             * @description DISABLED: nothing is sent to the endpoint
                             * @enum {string}
                             */
                            status: "ENABLED" | "DISABLED";
                            /**
                             * @description OWNER: disabled by the owner. GONE: the endpoint answered 410. FAILING: no success for five days.
                             * @enum {string|null}
                             */
                            disabled_reason: "OWNER" | "GONE" | "FAILING" | null;
                            disabled_date: string | null;
                            /** @description The first failed attempt since the last success */
                            failing_since: string | null;
                            date: string;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/webhook/endpoint/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            id: string;
                            url: string;
                            name: string | null;
                            event_types: ("CHECK" | "INVOICE" | "BANK" | "USER" | "PREFUND_ACCOUNT" | "CHECKBOOK" | "SUBSCRIPTION" | "MAIL")[];
                            /**
                             * @description THIN: `id`, `type`, `status` and little else. FULL: the same fields, then `event`, `date` and `object`: the object as its `GET` returns it to the owner of the platform, when the first attempt is made.
                             * @enum {string}
                             */
                            body_format: "THIN" | "FULL";
                            /**
                             * @description DISABLED: nothing is sent to the endpoint
                             * @enum {string}
                             */
                            status: "ENABLED" | "DISABLED";
                            /**
                             * @description OWNER: disabled by the owner. GONE: the endpoint answered 410. FAILING: no success for five days.
                             * @enum {string|null}
                             */
                            disabled_reason: "OWNER" | "GONE" | "FAILING" | null;
                            disabled_date: string | null;
                            /** @description The first failed attempt since the last success */
                            failing_since: string | null;
                            date: string;
                        };
                    };
                };
            };
        };
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description An https URL at a public address. In sandbox and demo also http://localhost, if the operator allows it. */
                        url?: string;
                        /** @description a text that is not only white space */
                        name?: string | null;
                        /** @description The event types that are sent to the endpoint. The default is CHECK and INVOICE. */
                        event_types?: ("CHECK" | "INVOICE" | "BANK" | "USER" | "PREFUND_ACCOUNT" | "CHECKBOOK" | "SUBSCRIPTION" | "MAIL")[];
                        /**
                         * @description THIN: `id`, `type`, `status` and little else. FULL: the same fields, then `event`, `date` and `object`: the object as its `GET` returns it to the owner of the platform, when the first attempt is made.
                         * @enum {string}
                         */
                        body_format?: "THIN" | "FULL";
                        /** @enum {string} */
                        status?: "ENABLED" | "DISABLED";
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            id: string;
                            url: string;
                            name: string | null;
                            event_types: ("CHECK" | "INVOICE" | "BANK" | "USER" | "PREFUND_ACCOUNT" | "CHECKBOOK" | "SUBSCRIPTION" | "MAIL")[];
                            /**
                             * @description THIN: `id`, `type`, `status` and little else. FULL: the same fields, then `event`, `date` and `object`: the object as its `GET` returns it to the owner of the platform, when the first attempt is made.
                             * @enum {string}
                             */
                            body_format: "THIN" | "FULL";
                            /**
                             * @description DISABLED: nothing is sent to the endpoint
                             * @enum {string}
                             */
                            status: "ENABLED" | "DISABLED";
                            /**
                             * @description OWNER: disabled by the owner. GONE: the endpoint answered 410. FAILING: no success for five days.
                             * @enum {string|null}
                             */
                            disabled_reason: "OWNER" | "GONE" | "FAILING" | null;
                            disabled_date: string | null;
                            /** @description The first failed attempt since the last success */
                            failing_since: string | null;
                            date: string;
                            /** @description Set when this call enabled the endpoint: the number of deliveries that failed while it was failing or disabled */
                            missed: number;
                            /** @description The value of `since` for POST /v3/webhook/replay to resend exactly these deliveries */
                            missed_since: string | null;
                        };
                    };
                };
            };
        };
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/webhook/endpoint/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": Record<string, never>;
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {string} */
                            outcome: "acknowledged" | "rejected" | "timed_out" | "unreachable";
                            /** @description The HTTP status of the response */
                            status: number | null;
                            duration_ms: number;
                            /** @description Why there was no response */
                            error: string | null;
                            /** @description The test event that was sent */
                            body: string;
                            /** @description The first KiB of the response body */
                            response_body: string | null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    per_page?: 10 | 25 | 50 | 100 | 250;
                    cursor?: string;
                    start_date?: string;
                    end_date?: string;
                    time_zone?: "UTC" | "PLATFORM";
                    type?: "CHECK" | "INVOICE" | "BANK" | "USER" | "PREFUND_ACCOUNT" | "CHECKBOOK" | "SUBSCRIPTION" | "MAIL";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            events: {
                                /** @description The ID of the event, also sent in the header webhook-id */
                                id: string;
                                /** @enum {string} */
                                type: "CHECK" | "INVOICE" | "BANK" | "USER" | "PREFUND_ACCOUNT" | "CHECKBOOK" | "SUBSCRIPTION" | "MAIL";
                                /** @description The id of the payment, bank, user or wallet */
                                subject: string;
                                /** @description The exact bytes of the thin body */
                                body: string;
                                date: string;
                                payment: {
                                    /** @enum {string} */
                                    direction: "INCOMING" | "OUTGOING";
                                    /** @description Dollars */
                                    amount: number;
                                    /** @description The payee, or the sender of a payment from another platform */
                                    name: string;
                                } | null;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/webhook/event/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The ID of the event, also sent in the header webhook-id */
                            id: string;
                            /** @enum {string} */
                            type: "CHECK" | "INVOICE" | "BANK" | "USER" | "PREFUND_ACCOUNT" | "CHECKBOOK" | "SUBSCRIPTION" | "MAIL";
                            /** @description The id of the payment, bank, user or wallet */
                            subject: string;
                            /** @description The exact bytes of the thin body */
                            body: string;
                            date: string;
                            deliveries: {
                                event: string;
                                endpoint: string;
                                url: string;
                                /** @enum {string} */
                                type: "CHECK" | "INVOICE" | "BANK" | "USER" | "PREFUND_ACCOUNT" | "CHECKBOOK" | "SUBSCRIPTION" | "MAIL";
                                /** @description The id of the payment, bank, user or wallet */
                                subject: string;
                                payment: {
                                    /** @description The status that this event reports */
                                    status: string;
                                    /** @description Dollars */
                                    amount: number;
                                    /** @description The payee */
                                    name: string;
                                } | null;
                                /** @enum {string} */
                                status: "PENDING" | "DELIVERED" | "FAILED";
                                next_attempt: string | null;
                                /** @description When the event happened */
                                date: string;
                                /** @description The number of attempts */
                                attempts: number;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/webhook/delivery": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    per_page?: 10 | 25 | 50 | 100 | 250;
                    cursor?: string;
                    start_date?: string;
                    end_date?: string;
                    time_zone?: "UTC" | "PLATFORM";
                    status?: "PENDING" | "DELIVERED" | "FAILED";
                    endpoint?: string;
                    type?: "CHECK" | "INVOICE" | "BANK" | "USER" | "PREFUND_ACCOUNT" | "CHECKBOOK" | "SUBSCRIPTION" | "MAIL";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            deliveries: {
                                event: string;
                                endpoint: string;
                                url: string;
                                /** @enum {string} */
                                type: "CHECK" | "INVOICE" | "BANK" | "USER" | "PREFUND_ACCOUNT" | "CHECKBOOK" | "SUBSCRIPTION" | "MAIL";
                                /** @description The id of the payment, bank, user or wallet */
                                subject: string;
                                payment: {
                                    /** @description The status that this event reports */
                                    status: string;
                                    /** @description Dollars */
                                    amount: number;
                                    /** @description The payee */
                                    name: string;
                                } | null;
                                /** @enum {string} */
                                status: "PENDING" | "DELIVERED" | "FAILED";
                                next_attempt: string | null;
                                /** @description When the event happened */
                                date: string;
                                /** @description The number of attempts */
                                attempts: number;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/webhook/delivery/{event}/{endpoint}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    event: string;
                    endpoint: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            event: string;
                            endpoint: string;
                            url: string;
                            /** @enum {string} */
                            type: "CHECK" | "INVOICE" | "BANK" | "USER" | "PREFUND_ACCOUNT" | "CHECKBOOK" | "SUBSCRIPTION" | "MAIL";
                            /** @description The id of the payment, bank, user or wallet */
                            subject: string;
                            payment: {
                                /** @description The status that this event reports */
                                status: string;
                                /** @description Dollars */
                                amount: number;
                                /** @description The payee */
                                name: string;
                            } | null;
                            /** @enum {string} */
                            status: "PENDING" | "DELIVERED" | "FAILED";
                            next_attempt: string | null;
                            /** @description When the event happened */
                            date: string;
                            /** @description The exact bytes of the body that each attempt sends. Null before the first attempt with a full body, and for a full body if your key does not have the permission `read`. */
                            body: string | null;
                            attempts: {
                                number: number;
                                date: string;
                                duration_ms: number;
                                /** @enum {string} */
                                outcome: "acknowledged" | "rejected" | "timed_out" | "unreachable";
                                /** @description The HTTP status of the response */
                                status: number | null;
                                /** @description Why there was no response */
                                error: string | null;
                                request_headers: {
                                    [key: string]: string;
                                } | null;
                                /** @description The first KiB of the response body */
                                response_body: string | null;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/webhook/delivery/{event}/{endpoint}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    event: string;
                    endpoint: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": Record<string, never>;
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/webhook/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description a time, as YYYY-MM-DD HH:MM:SS (UTC), or a date */
                        since: string;
                        /** @description an id of 32 lower-case hex digits */
                        endpoint?: string | null;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The number of deliveries */
                            replayed: number;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/user": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            user: {
                                id: string;
                                first_name: string | null;
                                last_name: string | null;
                                business_name: string | null;
                                dob: string | null;
                                phone: string | null;
                                /** @description Masked except for the last four digits */
                                ssn: string | null;
                                /** @description The next check number */
                                check_number: number;
                                /** @description The next invoice number */
                                invoice_number: number;
                                /** @enum {string} */
                                status: "UNVERIFIED" | "PENDING" | "VERIFIED" | "SUSPENDED" | "CLOSED";
                            };
                            merchant: {
                                address: {
                                    line_1: string | null;
                                    line_2: string | null;
                                    city: string | null;
                                    state: string | null;
                                    zip: string | null;
                                    country: string | null;
                                };
                                principal_address: {
                                    line_1: string | null;
                                    line_2: string | null;
                                    city: string | null;
                                    state: string | null;
                                    zip: string | null;
                                    country: string | null;
                                };
                                incorporation_date: string | null;
                                /** @description A NAICS code */
                                industry: string | null;
                                legal_firstname: string | null;
                                legal_lastname: string | null;
                                principal_citizenship_status: string | null;
                                principal_occupation: string | null;
                                /** @description Masked except for the last four digits */
                                tax_id: string | null;
                                website: string | null;
                            };
                            brand: {
                                footer: string | null;
                                /** @description The URL of the logo; omitted if there is none */
                                logo?: string;
                                reply_to: string | null;
                                slogan: string | null;
                            };
                        };
                    };
                };
            };
        };
        put: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        user?: {
                            first_name?: string;
                            last_name?: string;
                            business_name?: string;
                            /**
                             * Format: date
                             * @description a date, as YYYY-MM-DD
                             */
                            dob?: string;
                            phone?: string;
                            /** @description 4 or 9 digits */
                            ssn?: string;
                            check_number?: number;
                            invoice_number?: number;
                        };
                        merchant?: {
                            address?: {
                                line_1?: string | null;
                                line_2?: string | null;
                                city?: string | null;
                                state?: string | null;
                                zip?: string | null;
                                country?: string | null;
                            };
                            principal_address?: {
                                line_1?: string | null;
                                line_2?: string | null;
                                city?: string | null;
                                state?: string | null;
                                zip?: string | null;
                                country?: string | null;
                            };
                            /**
                             * Format: date
                             * @description a date, as YYYY-MM-DD
                             */
                            incorporation_date?: string;
                            /**
                             * @description A NAICS code
                             * @enum {integer}
                             */
                            industry?: 11 | 21 | 22 | 23 | 33 | 42 | 45 | 49 | 51 | 52 | 53 | 54 | 55 | 56 | 61 | 62 | 71 | 72 | 81 | 92 | 441 | 519 | 524 | 624 | 4541 | 5411 | 5614 | 54112 | 541211 | 541214 | 541614;
                            legal_firstname?: string;
                            legal_lastname?: string;
                            /** @enum {string} */
                            principal_citizenship_status?: "us_citizen" | "resident" | "non_resident";
                            principal_occupation?: string;
                            /** @description 9 digits */
                            tax_id?: string;
                            website?: string;
                        };
                        bank?: {
                            /** @description an id of 32 lower-case hex digits */
                            billing?: string;
                            /** @description an id of 32 lower-case hex digits */
                            default?: string;
                        };
                        brand?: {
                            footer?: string | null;
                            logo?: string;
                            /** @description an email address, or an empty text for none */
                            reply_to?: string;
                            slogan?: string | null;
                        };
                        developer?: {
                            webhook_uri?: string | null;
                        };
                        payment?: {
                            expiration?: number;
                            /** @description Whether payments need the release of a second person */
                            dual_control?: boolean;
                        };
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * Format: name
                         * @description a text that is not only white space
                         */
                        user_id: string;
                        /** @description a text that is not only white space */
                        name: string;
                    };
                };
            };
            responses: {
                /** @description Done */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            id: string;
                            user_id: string;
                            /** @description The API key of the user */
                            key: string;
                            /** @description The API secret of the user. It is shown only once. */
                            secret: string;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/user/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    page?: number;
                    per_page?: 10 | 25 | 50 | 100 | 250;
                    q?: string;
                    sort?: "+DATE" | "-DATE" | "+USER_ID" | "-USER_ID";
                    cursor?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            users: {
                                id: string;
                                user_id: string;
                                name: string;
                                /** @description The oldest API key. Empty if all keys are revoked. */
                                key: string;
                                /** @description The masked API secret */
                                secret: string;
                                date: string;
                            }[];
                            page?: number;
                            pages?: number;
                            total?: number;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/user/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            user: {
                                id: string;
                                first_name: string | null;
                                last_name: string | null;
                                business_name: string | null;
                                dob: string | null;
                                phone: string | null;
                                /** @description Masked except for the last four digits */
                                ssn: string | null;
                                /** @description The next check number */
                                check_number: number;
                                /** @description The next invoice number */
                                invoice_number: number;
                                /** @enum {string} */
                                status: "UNVERIFIED" | "PENDING" | "VERIFIED" | "SUSPENDED" | "CLOSED";
                            };
                            merchant: {
                                address: {
                                    line_1: string | null;
                                    line_2: string | null;
                                    city: string | null;
                                    state: string | null;
                                    zip: string | null;
                                    country: string | null;
                                };
                                principal_address: {
                                    line_1: string | null;
                                    line_2: string | null;
                                    city: string | null;
                                    state: string | null;
                                    zip: string | null;
                                    country: string | null;
                                };
                                incorporation_date: string | null;
                                /** @description A NAICS code */
                                industry: string | null;
                                legal_firstname: string | null;
                                legal_lastname: string | null;
                                principal_citizenship_status: string | null;
                                principal_occupation: string | null;
                                /** @description Masked except for the last four digits */
                                tax_id: string | null;
                                website: string | null;
                            };
                            brand: {
                                footer: string | null;
                                /** @description The URL of the logo; omitted if there is none */
                                logo?: string;
                                reply_to: string | null;
                                slogan: string | null;
                            };
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/limit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    user?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The time on the clock of the platform */
                            as_of: string;
                            /** @description The time zone in which days and months begin */
                            time_zone: string;
                            /** @description The largest payment that you can send now; null for no limit */
                            left: number | null;
                            payment: {
                                /** @description The limit in dollars; null for no limit */
                                maximum: number | null;
                                /** @description The limit of the operator, which the owner of a platform can lower, in dollars; null for no limit */
                                highest: number | null;
                                /** @description The amount that was sent in the period, in dollars */
                                used: number;
                                /** @description The amount that can still be sent, in dollars; null for no limit */
                                left: number | null;
                            };
                            day: {
                                /** @description The limit in dollars; null for no limit */
                                maximum: number | null;
                                /** @description The limit of the operator, which the owner of a platform can lower, in dollars; null for no limit */
                                highest: number | null;
                                /** @description The amount that was sent in the period, in dollars */
                                used: number;
                                /** @description The amount that can still be sent, in dollars; null for no limit */
                                left: number | null;
                            };
                            month: {
                                /** @description The limit in dollars; null for no limit */
                                maximum: number | null;
                                /** @description The limit of the operator, which the owner of a platform can lower, in dollars; null for no limit */
                                highest: number | null;
                                /** @description The amount that was sent in the period, in dollars */
                                used: number;
                                /** @description The amount that can still be sent, in dollars; null for no limit */
                                left: number | null;
                            };
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/user/{id}/limit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The limit in dollars; null removes it */
                        payment?: number | null;
                        /** @description The limit in dollars; null removes it */
                        day?: number | null;
                        /** @description The limit in dollars; null removes it */
                        month?: number | null;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    page?: number;
                    per_page?: 10 | 25 | 50 | 100 | 250;
                    q?: string;
                    sort?: "+DATE" | "-DATE" | "+USER_ID" | "-USER_ID";
                    cursor?: string;
                    status?: "UNVERIFIED" | "PENDING" | "VERIFIED" | "SUSPENDED" | "CLOSED";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            users: {
                                id: string;
                                user_id: string | null;
                                name: string;
                                /** @enum {string} */
                                status: "UNVERIFIED" | "PENDING" | "VERIFIED" | "SUSPENDED" | "CLOSED";
                                date: string;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            id: string;
                            user_id: string | null;
                            name: string;
                            /** @enum {string} */
                            status: "UNVERIFIED" | "PENDING" | "VERIFIED" | "SUSPENDED" | "CLOSED";
                            date: string;
                            api_keys: {
                                id: string;
                                name: string | null;
                                expiration_date: string | null;
                                last_used: string | null;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/user/signature": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description a PNG or JPEG image in base64 */
                        signature: string;
                    };
                };
            };
            responses: {
                /** @description Done */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/user/api_key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    page?: number;
                    per_page?: 10 | 25 | 50 | 100 | 250;
                    q?: string;
                    sort?: string;
                    cursor?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            api_keys: {
                                /** @description The API key */
                                id: string;
                                name: string | null;
                                expiration_date: string | null;
                                /** @description The masked API secret */
                                secret: string;
                            }[];
                            page?: number;
                            pages?: number;
                            total?: number;
                        };
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        name?: string | null;
                        /**
                         * Format: date
                         * @description a date, as YYYY-MM-DD
                         */
                        expiration_date?: string | null;
                    };
                };
            };
            responses: {
                /** @description Done */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The API key */
                            id: string;
                            /** @description The API secret. It is shown only once. */
                            secret: string;
                            name: string | null;
                            expiration_date: string | null;
                            /** @description The key that signs this user’s webhooks */
                            webhook_key: string;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/user/{id}/api_key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        name?: string | null;
                        /**
                         * Format: date
                         * @description a date, as YYYY-MM-DD
                         */
                        expiration_date?: string | null;
                    };
                };
            };
            responses: {
                /** @description Done */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The API key */
                            id: string;
                            /** @description The API secret. It is shown only once. */
                            secret: string;
                            name: string | null;
                            expiration_date: string | null;
                            /** @description The key that signs this user’s webhooks */
                            webhook_key: string;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/user/api_key/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/user/{id}/api_key/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                    key: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/developer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            webhook_url: string | null;
                            /** @description The masked key that signs webhooks */
                            signing_key: string;
                            source_addresses: string[];
                            allows_local_webhooks: boolean;
                        };
                    };
                };
            };
        };
        put: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        developer: {
                            webhook_uri: string | null;
                        };
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            api_keys: {
                                id: string;
                                name: string | null;
                                expiration_date: string | null;
                                date: string;
                                last_used: string | null;
                                created_by: {
                                    name: string;
                                    is_member: boolean;
                                } | null;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/webhook-test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": Record<string, never>;
                };
            };
            responses: {
                /** @description Done */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {string} */
                            outcome: "acknowledged" | "rejected" | "timed_out" | "unreachable";
                            http_status: number | null;
                            duration_ms: number;
                            error: string | null;
                            body: string;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/webhook/key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": Record<string, never>;
                };
            };
            responses: {
                /** @description Done */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The new key */
                            webhook_key: string;
                            /** @description When the previous key stops signing */
                            previous_key_expires: string;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/context": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {string} */
                            environment: "sandbox" | "demo" | "production";
                            version: string;
                            environments: {
                                /** @enum {string} */
                                name: "sandbox" | "demo" | "production";
                                url: string;
                            }[];
                            fixed_code: string | null;
                            shows_mail: boolean;
                            /** @description The time zone of all times and days on the pages */
                            time_zone: string;
                            owner: {
                                id: string;
                                email: string;
                                name: string;
                                platform: string;
                                /** @description Whether the account shows the pages for payees */
                                is_payee: boolean;
                                /** @enum {string} */
                                role: "owner" | "admin" | "preparer" | "approver" | "developer" | "viewer";
                                permissions: ("read" | "export" | "prepare" | "release" | "send" | "accounts" | "users" | "keys" | "developers" | "audit" | "team" | "policy" | "simulate" | "operate")[];
                                has_two_factor: boolean;
                                must_enroll: boolean;
                                has_old_codes: boolean;
                                /** @description The session ends after this many seconds without use */
                                session_seconds: number;
                            } | null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/sign-up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * Format: email
                         * @description an email address
                         */
                        email: string;
                        password: string;
                        /** @description a text that is not only white space */
                        name: string;
                        /** @description Whether the new account starts with the pages for payees */
                        is_payee?: boolean;
                    };
                };
            };
            responses: {
                /** @description Done */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            verification: string;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/sign-up/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        verification: string;
                        code: string;
                    };
                };
            };
            responses: {
                /** @description Done */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        email: string;
                        password: string;
                        code?: string;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            second_factor: boolean;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/sign-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/password/forgot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * Format: email
                         * @description an email address
                         */
                        email: string;
                    };
                };
            };
            responses: {
                /** @description Done */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            verification: string;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/password/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        verification: string;
                        code: string;
                        password: string;
                    };
                };
            };
            responses: {
                /** @description Done */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/step-up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        password?: string;
                        code?: string;
                    };
                };
            };
            responses: {
                /** @description Done */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            sessions: {
                                id: string;
                                is_this: boolean;
                                date: string;
                                last_seen: string;
                                address: string;
                                user_agent: string | null;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        current: string;
                        password: string;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * Format: email
                         * @description an email address
                         */
                        email: string;
                        password: string;
                    };
                };
            };
            responses: {
                /** @description Done */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            verification: string;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/email/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        verification: string;
                        code: string;
                    };
                };
            };
            responses: {
                /** @description Done */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/two-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        password: string;
                    };
                };
            };
            responses: {
                /** @description Done */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            secret: string;
                            uri: string;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/two-factor/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        code: string;
                    };
                };
            };
            responses: {
                /** @description Done */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            recovery_codes: string[];
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/two-factor/recovery-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        password: string;
                        code: string;
                    };
                };
            };
            responses: {
                /** @description Done */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            recovery_codes: string[];
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/two-factor/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        password: string;
                        code: string;
                    };
                };
            };
            responses: {
                /** @description Done */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/team": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            members: {
                                id: string;
                                name: string;
                                email: string;
                                /** @enum {string} */
                                role: "owner" | "admin" | "preparer" | "approver" | "developer" | "viewer";
                                is_this: boolean;
                                has_two_factor: boolean;
                                may_manage: boolean;
                                joined: string;
                                last_seen: string | null;
                                api_keys: {
                                    id: string;
                                    name: string | null;
                                }[];
                            }[];
                            roles: {
                                /** @enum {string} */
                                role: "owner" | "admin" | "preparer" | "approver" | "developer" | "viewer";
                                permissions: ("read" | "export" | "prepare" | "release" | "send" | "accounts" | "users" | "keys" | "developers" | "audit" | "team" | "policy" | "simulate" | "operate")[];
                                may_give: boolean;
                            }[];
                            two_factor_required: boolean;
                            limit: number;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/team/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @enum {string} */
                        role: "owner" | "admin" | "preparer" | "approver" | "developer" | "viewer";
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            api_keys: {
                                id: string;
                                name: string | null;
                                user: {
                                    id: string;
                                    name: string;
                                } | null;
                            }[];
                        };
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/team/leave": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/team/policy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        two_factor_required: boolean;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/platforms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            platforms: {
                                id: string;
                                name: string;
                                /** @enum {string} */
                                role: "owner" | "admin" | "preparer" | "approver" | "developer" | "viewer";
                                is_this: boolean;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/platforms/switch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description an id of 32 lower-case hex digits */
                        platform: string;
                    };
                };
            };
            responses: {
                /** @description Done */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/platforms/set-up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/invitation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            invitations: {
                                id: string;
                                email: string;
                                /** @enum {string} */
                                role: "owner" | "admin" | "preparer" | "approver" | "developer" | "viewer";
                                invited_by: string;
                                date: string;
                                expires: string;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * Format: email
                         * @description an email address
                         */
                        email: string;
                        /** @enum {string} */
                        role: "owner" | "admin" | "preparer" | "approver" | "developer" | "viewer";
                    };
                };
            };
            responses: {
                /** @description Done */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/invitation/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/invitation/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        token: string;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            platform: string;
                            invited_by: string;
                            email: string;
                            /** @enum {string} */
                            role: "owner" | "admin" | "preparer" | "approver" | "developer" | "viewer";
                            expires: string;
                            has_login: boolean;
                            signed_in_as: string | null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/invitation/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        token: string;
                        /** @description a text that is not only white space */
                        name?: string;
                        password?: string;
                        code?: string;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            second_factor: boolean;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/applications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            applications: {
                                /** @description The client_id */
                                id: string;
                                name: string;
                                site: string;
                                redirect_uris: string[];
                                webhook_url: string | null;
                                requires_pkce: boolean;
                                rotates_refresh_tokens: boolean;
                                date: string;
                                previous_secret_expires: string | null;
                                is_secret_kept: boolean;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description a text that is not only white space */
                        name: string;
                        site: string;
                        redirect_uris: string[];
                        webhook_url?: string | null;
                        requires_pkce?: boolean;
                        rotates_refresh_tokens?: boolean;
                    };
                };
            };
            responses: {
                /** @description Done */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The client_id */
                            id: string;
                            name: string;
                            site: string;
                            redirect_uris: string[];
                            webhook_url: string | null;
                            requires_pkce: boolean;
                            rotates_refresh_tokens: boolean;
                            date: string;
                            previous_secret_expires: string | null;
                            is_secret_kept: boolean;
                            secret: string;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/applications/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description a text that is not only white space */
                        name?: string;
                        site?: string;
                        redirect_uris?: string[];
                        webhook_url?: string | null;
                        requires_pkce?: boolean;
                        rotates_refresh_tokens?: boolean;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/applications/{id}/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            secret: string;
                            previous_secret_expires: string;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/applications/{id}/secret/show": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            secret: string;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/grants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            grants: {
                                id: string;
                                application: {
                                    name: string;
                                    site: string;
                                };
                                /** @enum {string} */
                                scope: "check" | "single-use";
                                date: string;
                                last_used: string | null;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/grants/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/consent/{uid}/details": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    uid: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            application: {
                                name: string;
                                site: string;
                            };
                            /** @enum {string} */
                            scope: "check" | "single-use";
                            redirect_uri: string;
                            owner: {
                                id: string;
                                email: string;
                                name: string;
                            } | null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/consent/{uid}/authorize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    uid: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description an id of 32 lower-case hex digits */
                        owner: string;
                    };
                };
            };
            responses: {
                /** @description Done */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            redirect_to: string;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/consent/{uid}/deny": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    uid: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": Record<string, never>;
                };
            };
            responses: {
                /** @description Done */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            redirect_to: string;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/approval/digital": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description Dollars, at least 0.01, with at most two decimals */
                        amount: number;
                        /** @description a text that is not only white space */
                        name: string;
                        /** @description an id of 32 lower-case hex digits */
                        account?: string | null;
                        description?: string | null;
                        comment?: string | null;
                        /** @description a check number: 1 to 100000000, or a text of 1 to 32 characters */
                        number?: number | string | null;
                        /** @description a file in base64, or {filename, content} */
                        attachment?: string | {
                            filename?: string | null;
                            content: string;
                        } | null;
                        deposit_options?: ("PRINT" | "MAIL" | "BANK" | "CARD" | "VCC" | "RTP" | "PAYPAL" | "WALLET" | "VENMO" | "INTERAC" | "WIRE")[] | null;
                        pin?: {
                            description?: string | null;
                            value: string;
                        } | null;
                        /** @description an email address, a phone number, a user_id of the platform, or {id, account} */
                        recipient: string | {
                            id: string;
                            /** @description an id of 32 lower-case hex digits */
                            account: string;
                        };
                        remittance_advice?: {
                            id: string;
                            /**
                             * Format: date
                             * @description a date, as YYYY-MM-DD
                             */
                            date: string;
                            /** @description Dollars, at least 0.01, with at most two decimals */
                            amount?: number | null;
                            description?: string | null;
                        }[] | null;
                    };
                };
            };
            responses: {
                /** @description Done */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            id: string;
                            /** @description The number of the payment. Before the release, the number that it would get now */
                            number: number | string;
                            /** @description Dollars */
                            amount: number;
                            date: string;
                            /** @enum {string} */
                            status: "UNPAID" | "APPROVED" | "VOID";
                            name: string;
                            recipient: string;
                            description: string | null;
                            comment: string | null;
                            image_uri: string | null;
                            /** @description One row for each line item: id, date, amount with two decimals, description. A cell without a value is empty. */
                            remittance_advice: string[][];
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/approval/physical": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description Dollars, at least 0.01, with at most two decimals */
                        amount: number;
                        /** @description a text that is not only white space */
                        name: string;
                        /** @description an id of 32 lower-case hex digits */
                        account?: string | null;
                        description?: string | null;
                        comment?: string | null;
                        /** @description a check number: 1 to 100000000, or a text of 1 to 32 characters */
                        number?: number | string | null;
                        /** @description a file in base64, or {filename, content} */
                        attachment?: string | {
                            filename?: string | null;
                            content: string;
                        } | null;
                        /** @enum {string|null} */
                        mail_type?: "USPS_FIRST_CLASS" | "OVERNIGHT" | "TWO_DAY" | "USPS_CERTIFIED" | null;
                        /** @description a postal address {line_1, city, state, zip}. POST /v3/check/digital takes an email address, phone number or user_id */
                        recipient: {
                            line_1: string;
                            line_2?: string | null;
                            city: string;
                            state: string;
                            zip: string;
                            country?: string | null;
                        };
                        /** @description a text of at most 3990 characters, or 1 to 50 lines {id, date, amount, description} */
                        remittance_advice?: string | {
                            id: string;
                            /**
                             * Format: date
                             * @description a date, as YYYY-MM-DD
                             */
                            date: string;
                            /** @description Dollars, at least 0.01, with at most two decimals */
                            amount?: number | null;
                            description?: string | null;
                        }[] | null;
                    };
                };
            };
            responses: {
                /** @description Done */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            id: string;
                            /** @description The number of the payment. Before the release, the number that it would get now */
                            number: number | string;
                            /** @description Dollars */
                            amount: number;
                            date: string;
                            /** @enum {string} */
                            status: "UNPAID" | "APPROVED" | "VOID";
                            name: string;
                            recipient: string;
                            description: string | null;
                            comment: string | null;
                            image_uri: string | null;
                            /** @description One row for each line item: id, date, amount with two decimals, description. A cell without a value is empty. */
                            remittance_advice: string[][];
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/approval/multi": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description Dollars, at least 0.01, with at most two decimals */
                        amount: number;
                        /** @description an id of 32 lower-case hex digits */
                        account?: string | null;
                        description?: string | null;
                        comment?: string | null;
                        /** @description a check number: 1 to 100000000, or a text of 1 to 32 characters */
                        number?: number | string | null;
                        /** @description a file in base64, or {filename, content} */
                        attachment?: string | {
                            filename?: string | null;
                            content: string;
                        } | null;
                        deposit_options?: ("PRINT" | "MAIL" | "BANK" | "CARD" | "VCC" | "RTP" | "PAYPAL" | "WALLET" | "VENMO" | "INTERAC" | "WIRE")[] | null;
                        recipients: {
                            /** @description a text that is not only white space */
                            name: string;
                            /** @description the user_id of a user of the platform, or an email address */
                            recipient: string;
                            pin?: {
                                description?: string | null;
                                value: string;
                            } | null;
                            endorse_only?: boolean | null;
                        }[];
                        remittance_advice?: {
                            id: string;
                            /**
                             * Format: date
                             * @description a date, as YYYY-MM-DD
                             */
                            date: string;
                            /** @description Dollars, at least 0.01, with at most two decimals */
                            amount?: number | null;
                            description?: string | null;
                        }[] | null;
                    };
                };
            };
            responses: {
                /** @description Done */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            id: string;
                            /** @description The number of the payment. Before the release, the number that it would get now */
                            number: number | string;
                            /** @description Dollars */
                            amount: number;
                            date: string;
                            /** @enum {string} */
                            status: "UNPAID" | "APPROVED" | "VOID";
                            name: string;
                            recipient: string;
                            description: string | null;
                            comment: string | null;
                            image_uri: string | null;
                            /** @description One row for each line item: id, date, amount with two decimals, description. A cell without a value is empty. */
                            remittance_advice: string[][];
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/approval/invoice": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description an id of 32 lower-case hex digits */
                        id: string;
                        /** @description Dollars, at least 0.01, with at most two decimals */
                        amount: number;
                        /** @description an id of 32 lower-case hex digits */
                        account?: string | null;
                    };
                };
            };
            responses: {
                /** @description Done */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            id: string;
                            /** @description The number of the payment. Before the release, the number that it would get now */
                            number: number | string;
                            /** @description Dollars */
                            amount: number;
                            date: string;
                            /** @enum {string} */
                            status: "UNPAID" | "APPROVED" | "VOID";
                            name: string;
                            recipient: string;
                            description: string | null;
                            comment: string | null;
                            image_uri: string | null;
                            /** @description One row for each line item: id, date, amount with two decimals, description. A cell without a value is empty. */
                            remittance_advice: string[][];
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/approval/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description an id of 32 lower-case hex digits */
                        id: string;
                        /** @description The version that you reviewed. The request is refused if the current version is a different one */
                        version?: string | null;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            id: string;
                            /** @description The number from the request, or the next number of the user’s own counter */
                            number: number | string;
                            /** @description Dollars */
                            amount: number;
                            date: string;
                            /** @enum {string} */
                            status: "UNPAID" | "IN_PROCESS" | "PAID" | "FAILED" | "PRINTED" | "VOID" | "EXPIRED" | "MAILED" | "REFUNDED";
                            name: string;
                            recipient: string;
                            description: string | null;
                            comment: string | null;
                            image_uri: string | null;
                            /** @description One row for each line item: id, date, amount with two decimals, description. A cell without a value is empty. */
                            remittance_advice: string[][];
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/approval/{id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The version that you reviewed. The request is refused if the current version is a different one */
                        version?: string | null;
                    };
                };
            };
            responses: {
                /** @description Done */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/approval/{id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description a text that is not only white space */
                        reason: string;
                    };
                };
            };
            responses: {
                /** @description Done */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/approval/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            id: string;
                            /** @description The number of the payment. Before the release, the number that it would get now */
                            number: number | string;
                            /** @description Dollars */
                            amount: number;
                            date: string;
                            /** @enum {string} */
                            status: "UNPAID" | "APPROVED" | "VOID";
                            name: string;
                            recipient: string;
                            description: string | null;
                            comment: string | null;
                            image_uri: string | null;
                            /** @description One row for each line item: id, date, amount with two decimals, description. A cell without a value is empty. */
                            remittance_advice: string[][];
                        };
                    };
                };
            };
        };
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description an id of 32 lower-case hex digits */
                        account?: string | null;
                        /** @description Dollars, at least 0.01, with at most two decimals */
                        amount?: number;
                        description?: string | null;
                        /** @description a text that is not only white space */
                        name?: string;
                        /** @description a check number: 1 to 100000000, or a text of 1 to 32 characters */
                        number?: number | string | null;
                        /** @description an email address, a phone number, a user_id of the platform, or {id, account}; of a paper check, a postal address */
                        recipient?: string | {
                            id: string;
                            /** @description an id of 32 lower-case hex digits */
                            account: string;
                        } | {
                            line_1: string;
                            line_2?: string | null;
                            city: string;
                            state: string;
                            zip: string;
                            country?: string | null;
                        };
                        /** @description The version that you reviewed. The request is refused if the current version is a different one */
                        version?: string | null;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/approval/policy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Whether every payment needs at least one approval, even if no rule asks for one */
                            dual_control: boolean;
                            rules: {
                                /** @description The lowest amount that the rule applies to, in dollars */
                                min_amount: number;
                                /** @description Limits the rule to payees that the owner has never paid or first paid within the last 7 days, and to users that added an account in that time */
                                new_payee: boolean;
                                /**
                                 * @description Limits the rule to payments that can use this rail; null for all payments
                                 * @enum {string|null}
                                 */
                                rail: "ACH" | "MAIL" | "PRINT" | "INSTANT" | "RTP" | "WALLET" | "PAYPAL" | "VENMO" | "INTERAC" | "WIRE" | "SWIFT" | null;
                                /**
                                 * @description Limits the rule to payments that are made this way; null for all payments
                                 * @enum {string|null}
                                 */
                                source: "WEB" | "API" | "APPLICATION" | "RECURRING" | "BATCH" | null;
                                approvals: number;
                            }[];
                            changed_at: string | null;
                            /** @description The name of the person who changed the policy */
                            changed_by: string | null;
                            proposal: {
                                /** @description an id of 32 lower-case hex digits */
                                id: string;
                                /** @description Whether every payment needs at least one approval, even if no rule asks for one */
                                dual_control: boolean;
                                rules: {
                                    /** @description The lowest amount that the rule applies to, in dollars */
                                    min_amount: number;
                                    /** @description Limits the rule to payees that the owner has never paid or first paid within the last 7 days, and to users that added an account in that time */
                                    new_payee: boolean;
                                    /**
                                     * @description Limits the rule to payments that can use this rail; null for all payments
                                     * @enum {string|null}
                                     */
                                    rail: "ACH" | "MAIL" | "PRINT" | "INSTANT" | "RTP" | "WALLET" | "PAYPAL" | "VENMO" | "INTERAC" | "WIRE" | "SWIFT" | null;
                                    /**
                                     * @description Limits the rule to payments that are made this way; null for all payments
                                     * @enum {string|null}
                                     */
                                    source: "WEB" | "API" | "APPLICATION" | "RECURRING" | "BATCH" | null;
                                    approvals: number;
                                }[];
                                proposed_at: string;
                                proposed_by: string;
                                /** @description Whether you proposed it */
                                is_own: boolean;
                            } | null;
                            people: {
                                members: number;
                                /** @description Who may release payments */
                                approvers: number;
                                /** @description The names of the other people who may release payments */
                                others: string[];
                                /** @description Whether enough people may release payments to satisfy every rule */
                                are_enough: boolean;
                            };
                        };
                    };
                };
            };
        };
        put: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description Whether every payment needs at least one approval, even if no rule asks for one */
                        dual_control: boolean;
                        rules: {
                            /** @description The lowest amount that the rule applies to, in dollars */
                            min_amount: number;
                            /** @description Limits the rule to payees that the owner has never paid or first paid within the last 7 days, and to users that added an account in that time */
                            new_payee: boolean;
                            /**
                             * @description Limits the rule to payments that can use this rail; null for all payments
                             * @enum {string|null}
                             */
                            rail: "ACH" | "MAIL" | "PRINT" | "INSTANT" | "RTP" | "WALLET" | "PAYPAL" | "VENMO" | "INTERAC" | "WIRE" | "SWIFT" | null;
                            /**
                             * @description Limits the rule to payments that are made this way; null for all payments
                             * @enum {string|null}
                             */
                            source: "WEB" | "API" | "APPLICATION" | "RECURRING" | "BATCH" | null;
                            approvals: number;
                        }[];
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Whether every payment needs at least one approval, even if no rule asks for one */
                            dual_control: boolean;
                            rules: {
                                /** @description The lowest amount that the rule applies to, in dollars */
                                min_amount: number;
                                /** @description Limits the rule to payees that the owner has never paid or first paid within the last 7 days, and to users that added an account in that time */
                                new_payee: boolean;
                                /**
                                 * @description Limits the rule to payments that can use this rail; null for all payments
                                 * @enum {string|null}
                                 */
                                rail: "ACH" | "MAIL" | "PRINT" | "INSTANT" | "RTP" | "WALLET" | "PAYPAL" | "VENMO" | "INTERAC" | "WIRE" | "SWIFT" | null;
                                /**
                                 * @description Limits the rule to payments that are made this way; null for all payments
                                 * @enum {string|null}
                                 */
                                source: "WEB" | "API" | "APPLICATION" | "RECURRING" | "BATCH" | null;
                                approvals: number;
                            }[];
                            changed_at: string | null;
                            /** @description The name of the person who changed the policy */
                            changed_by: string | null;
                            proposal: {
                                /** @description an id of 32 lower-case hex digits */
                                id: string;
                                /** @description Whether every payment needs at least one approval, even if no rule asks for one */
                                dual_control: boolean;
                                rules: {
                                    /** @description The lowest amount that the rule applies to, in dollars */
                                    min_amount: number;
                                    /** @description Limits the rule to payees that the owner has never paid or first paid within the last 7 days, and to users that added an account in that time */
                                    new_payee: boolean;
                                    /**
                                     * @description Limits the rule to payments that can use this rail; null for all payments
                                     * @enum {string|null}
                                     */
                                    rail: "ACH" | "MAIL" | "PRINT" | "INSTANT" | "RTP" | "WALLET" | "PAYPAL" | "VENMO" | "INTERAC" | "WIRE" | "SWIFT" | null;
                                    /**
                                     * @description Limits the rule to payments that are made this way; null for all payments
                                     * @enum {string|null}
                                     */
                                    source: "WEB" | "API" | "APPLICATION" | "RECURRING" | "BATCH" | null;
                                    approvals: number;
                                }[];
                                proposed_at: string;
                                proposed_by: string;
                                /** @description Whether you proposed it */
                                is_own: boolean;
                            } | null;
                            people: {
                                members: number;
                                /** @description Who may release payments */
                                approvers: number;
                                /** @description The names of the other people who may release payments */
                                others: string[];
                                /** @description Whether enough people may release payments to satisfy every rule */
                                are_enough: boolean;
                            };
                        };
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/approval/policy/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description an id of 32 lower-case hex digits */
                        id: string;
                    };
                };
            };
            responses: {
                /** @description Done */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Whether every payment needs at least one approval, even if no rule asks for one */
                            dual_control: boolean;
                            rules: {
                                /** @description The lowest amount that the rule applies to, in dollars */
                                min_amount: number;
                                /** @description Limits the rule to payees that the owner has never paid or first paid within the last 7 days, and to users that added an account in that time */
                                new_payee: boolean;
                                /**
                                 * @description Limits the rule to payments that can use this rail; null for all payments
                                 * @enum {string|null}
                                 */
                                rail: "ACH" | "MAIL" | "PRINT" | "INSTANT" | "RTP" | "WALLET" | "PAYPAL" | "VENMO" | "INTERAC" | "WIRE" | "SWIFT" | null;
                                /**
                                 * @description Limits the rule to payments that are made this way; null for all payments
                                 * @enum {string|null}
                                 */
                                source: "WEB" | "API" | "APPLICATION" | "RECURRING" | "BATCH" | null;
                                approvals: number;
                            }[];
                            changed_at: string | null;
                            /** @description The name of the person who changed the policy */
                            changed_by: string | null;
                            proposal: {
                                /** @description an id of 32 lower-case hex digits */
                                id: string;
                                /** @description Whether every payment needs at least one approval, even if no rule asks for one */
                                dual_control: boolean;
                                rules: {
                                    /** @description The lowest amount that the rule applies to, in dollars */
                                    min_amount: number;
                                    /** @description Limits the rule to payees that the owner has never paid or first paid within the last 7 days, and to users that added an account in that time */
                                    new_payee: boolean;
                                    /**
                                     * @description Limits the rule to payments that can use this rail; null for all payments
                                     * @enum {string|null}
                                     */
                                    rail: "ACH" | "MAIL" | "PRINT" | "INSTANT" | "RTP" | "WALLET" | "PAYPAL" | "VENMO" | "INTERAC" | "WIRE" | "SWIFT" | null;
                                    /**
                                     * @description Limits the rule to payments that are made this way; null for all payments
                                     * @enum {string|null}
                                     */
                                    source: "WEB" | "API" | "APPLICATION" | "RECURRING" | "BATCH" | null;
                                    approvals: number;
                                }[];
                                proposed_at: string;
                                proposed_by: string;
                                /** @description Whether you proposed it */
                                is_own: boolean;
                            } | null;
                            people: {
                                members: number;
                                /** @description Who may release payments */
                                approvers: number;
                                /** @description The names of the other people who may release payments */
                                others: string[];
                                /** @description Whether enough people may release payments to satisfy every rule */
                                are_enough: boolean;
                            };
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/approval/policy/proposal/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            approvals: {
                                id: string;
                                /** @enum {string} */
                                kind: "DIGITAL" | "PHYSICAL" | "MULTI" | "BATCH" | "INVOICE";
                                amount: number;
                                name: string;
                                recipient: string;
                                description: string | null;
                                /** @description The account of the payee that it names, in words; null if the payee chooses one */
                                pays_into: string | null;
                                prepared_by: string;
                                date: string;
                                expires: string;
                                needed: number;
                                reasons: string[];
                                approved_by: string[];
                                /** @enum {string} */
                                next: "release" | "approve" | "none";
                                /** @description The invoice that it pays */
                                invoice: {
                                    id: string;
                                    /** @enum {string} */
                                    status: "UNPAID" | "IN_PROCESS" | "PAID" | "VOID";
                                } | null;
                                /** @description Changes with each edit and each time an account of a payee changes */
                                version: string;
                                /** @description Whether a change of the payee’s accounts has invalidated approvals */
                                is_payee_changed: boolean;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/approvals/ended": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    page?: number;
                    per_page?: 10 | 25 | 50 | 100 | 250;
                    q?: string;
                    sort?: "+UPDATE" | "-UPDATE";
                    cursor?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            approvals: {
                                id: string;
                                /** @enum {string} */
                                kind: "DIGITAL" | "PHYSICAL" | "MULTI" | "BATCH" | "INVOICE";
                                amount: number;
                                name: string;
                                recipient: string;
                                description: string | null;
                                /** @enum {string} */
                                outcome: "RELEASED" | "VOIDED" | "REJECTED" | "EXPIRED";
                                /** @description The reason for the rejection; null for other outcomes */
                                reason: string | null;
                                prepared_by: string;
                                /** @description The person who released, rejected or voided it; null if it expired or the user was deleted */
                                ended_by: string | null;
                                ended: string;
                                /** @description The ID of the payment; for a batch, of its first payment */
                                payment_id: string | null;
                            }[];
                            page?: number;
                            pages?: number;
                            total?: number;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/approvals/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description At most 100 */
                            count: number;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/batch/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description 1 to 1500 rows, or the text of a CSV file */
                        file: unknown[] | string;
                        /** @description an id of 32 lower-case hex digits */
                        account?: string | null;
                        /** @enum {string|null} */
                        mail_type?: "USPS_FIRST_CLASS" | "OVERNIGHT" | "TWO_DAY" | "USPS_CERTIFIED" | null;
                        /** @description an id of 32 lower-case hex digits */
                        batch?: string | null;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            rows: {
                                /** @description The position of the row; in a CSV file, the line number */
                                line: number;
                                errors: {
                                    field: string;
                                    problem: string;
                                }[];
                                /** @description Another row, payment, approval or batch that pays the same amount to the same payee */
                                duplicate: {
                                    /** @enum {string} */
                                    kind: "row" | "payment" | "approval" | "batch";
                                    id: string | null;
                                    /** @description The line of the other row, for the kind `row` */
                                    line: number | null;
                                    date: string | null;
                                } | null;
                            }[];
                            /** @description The total of the rows without problems */
                            amount: number;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/batch/template": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    page?: number;
                    per_page?: 10 | 25 | 50 | 100 | 250;
                    q?: string;
                    sort?: "+DATE" | "-DATE";
                    cursor?: string;
                    status?: "UNPAID" | "APPROVED" | "VOID";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            batches: {
                                id: string;
                                name: string;
                                /** @enum {string} */
                                status: "UNPAID" | "APPROVED" | "VOID";
                                /**
                                 * @description The outcome; null while the batch is open
                                 * @enum {string|null}
                                 */
                                outcome: "RELEASED" | "VOIDED" | "REJECTED" | "EXPIRED" | null;
                                /** @description The reason for the rejection; null for other outcomes */
                                reason: string | null;
                                /** @description The total in dollars */
                                amount: number;
                                /** @description The number of payments */
                                count: number;
                                /** @description Changes each time the rows are replaced or an account of a payee changes */
                                version: string;
                                /** @description The bank or wallet that pays; null for the default bank at the time of the release */
                                account: string | null;
                                /** @enum {string|null} */
                                mail_type: "USPS_FIRST_CLASS" | "OVERNIGHT" | "TWO_DAY" | "USPS_CERTIFIED" | null;
                                prepared_by: string;
                                edited_by: string[];
                                /** @description The person who released, rejected or voided the batch */
                                ended_by: string | null;
                                date: string;
                                updated: string;
                                /** @description When the batch expires; null once it is no longer open */
                                expires: string | null;
                            }[];
                            page?: number;
                            pages?: number;
                            total?: number;
                        };
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description a text that is not only white space */
                        name: string;
                        /** @description 1 to 1500 rows, or the text of a CSV file */
                        file: unknown[] | string;
                        /** @description an id of 32 lower-case hex digits */
                        account?: string | null;
                        /** @enum {string|null} */
                        mail_type?: "USPS_FIRST_CLASS" | "OVERNIGHT" | "TWO_DAY" | "USPS_CERTIFIED" | null;
                    };
                };
            };
            responses: {
                /** @description Done */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            id: string;
                            name: string;
                            /** @enum {string} */
                            status: "UNPAID" | "APPROVED" | "VOID";
                            /**
                             * @description The outcome; null while the batch is open
                             * @enum {string|null}
                             */
                            outcome: "RELEASED" | "VOIDED" | "REJECTED" | "EXPIRED" | null;
                            /** @description The reason for the rejection; null for other outcomes */
                            reason: string | null;
                            /** @description The total in dollars */
                            amount: number;
                            /** @description The number of payments */
                            count: number;
                            /** @description Changes each time the rows are replaced or an account of a payee changes */
                            version: string;
                            /** @description The bank or wallet that pays; null for the default bank at the time of the release */
                            account: string | null;
                            /** @enum {string|null} */
                            mail_type: "USPS_FIRST_CLASS" | "OVERNIGHT" | "TWO_DAY" | "USPS_CERTIFIED" | null;
                            prepared_by: string;
                            edited_by: string[];
                            /** @description The person who released, rejected or voided the batch */
                            ended_by: string | null;
                            date: string;
                            updated: string;
                            /** @description When the batch expires; null once it is no longer open */
                            expires: string | null;
                            /** @description The approvals that the batch still needs and already has */
                            approvals: {
                                /** @description The number of people who must approve the batch */
                                needed: number;
                                reasons: string[];
                                approved_by: string[];
                                /**
                                 * @description The action that you can take now
                                 * @enum {string}
                                 */
                                next: "release" | "approve" | "none";
                            } | null;
                            /** @description The number and total of the payments in each status. Empty before the release */
                            payments: {
                                /** @enum {string} */
                                status: "UNPAID" | "IN_PROCESS" | "PAID" | "FAILED" | "PRINTED" | "VOID" | "EXPIRED" | "MAILED" | "REFUNDED";
                                count: number;
                                amount: number;
                            }[];
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/batch/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            id: string;
                            name: string;
                            /** @enum {string} */
                            status: "UNPAID" | "APPROVED" | "VOID";
                            /**
                             * @description The outcome; null while the batch is open
                             * @enum {string|null}
                             */
                            outcome: "RELEASED" | "VOIDED" | "REJECTED" | "EXPIRED" | null;
                            /** @description The reason for the rejection; null for other outcomes */
                            reason: string | null;
                            /** @description The total in dollars */
                            amount: number;
                            /** @description The number of payments */
                            count: number;
                            /** @description Changes each time the rows are replaced or an account of a payee changes */
                            version: string;
                            /** @description The bank or wallet that pays; null for the default bank at the time of the release */
                            account: string | null;
                            /** @enum {string|null} */
                            mail_type: "USPS_FIRST_CLASS" | "OVERNIGHT" | "TWO_DAY" | "USPS_CERTIFIED" | null;
                            prepared_by: string;
                            edited_by: string[];
                            /** @description The person who released, rejected or voided the batch */
                            ended_by: string | null;
                            date: string;
                            updated: string;
                            /** @description When the batch expires; null once it is no longer open */
                            expires: string | null;
                            /** @description The approvals that the batch still needs and already has */
                            approvals: {
                                /** @description The number of people who must approve the batch */
                                needed: number;
                                reasons: string[];
                                approved_by: string[];
                                /**
                                 * @description The action that you can take now
                                 * @enum {string}
                                 */
                                next: "release" | "approve" | "none";
                            } | null;
                            /** @description The number and total of the payments in each status. Empty before the release */
                            payments: {
                                /** @enum {string} */
                                status: "UNPAID" | "IN_PROCESS" | "PAID" | "FAILED" | "PRINTED" | "VOID" | "EXPIRED" | "MAILED" | "REFUNDED";
                                count: number;
                                amount: number;
                            }[];
                        };
                    };
                };
            };
        };
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description a text that is not only white space */
                        name: string;
                        /** @description 1 to 1500 rows, or the text of a CSV file */
                        file: unknown[] | string;
                        /** @description an id of 32 lower-case hex digits */
                        account?: string | null;
                        /** @enum {string|null} */
                        mail_type?: "USPS_FIRST_CLASS" | "OVERNIGHT" | "TWO_DAY" | "USPS_CERTIFIED" | null;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            id: string;
                            name: string;
                            /** @enum {string} */
                            status: "UNPAID" | "APPROVED" | "VOID";
                            /**
                             * @description The outcome; null while the batch is open
                             * @enum {string|null}
                             */
                            outcome: "RELEASED" | "VOIDED" | "REJECTED" | "EXPIRED" | null;
                            /** @description The reason for the rejection; null for other outcomes */
                            reason: string | null;
                            /** @description The total in dollars */
                            amount: number;
                            /** @description The number of payments */
                            count: number;
                            /** @description Changes each time the rows are replaced or an account of a payee changes */
                            version: string;
                            /** @description The bank or wallet that pays; null for the default bank at the time of the release */
                            account: string | null;
                            /** @enum {string|null} */
                            mail_type: "USPS_FIRST_CLASS" | "OVERNIGHT" | "TWO_DAY" | "USPS_CERTIFIED" | null;
                            prepared_by: string;
                            edited_by: string[];
                            /** @description The person who released, rejected or voided the batch */
                            ended_by: string | null;
                            date: string;
                            updated: string;
                            /** @description When the batch expires; null once it is no longer open */
                            expires: string | null;
                            /** @description The approvals that the batch still needs and already has */
                            approvals: {
                                /** @description The number of people who must approve the batch */
                                needed: number;
                                reasons: string[];
                                approved_by: string[];
                                /**
                                 * @description The action that you can take now
                                 * @enum {string}
                                 */
                                next: "release" | "approve" | "none";
                            } | null;
                            /** @description The number and total of the payments in each status. Empty before the release */
                            payments: {
                                /** @enum {string} */
                                status: "UNPAID" | "IN_PROCESS" | "PAID" | "FAILED" | "PRINTED" | "VOID" | "EXPIRED" | "MAILED" | "REFUNDED";
                                count: number;
                                amount: number;
                            }[];
                        };
                    };
                };
            };
        };
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/batch/{id}/row": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            rows: {
                                /** @description The position of the row, from 1 */
                                line: number;
                                name: string;
                                amount: number;
                                recipient: string;
                                /** @description The last four digits */
                                account: string | null;
                                description: string | null;
                                number: (number | string) | null;
                                payment: {
                                    id: string;
                                    /** @enum {string} */
                                    status: "UNPAID" | "IN_PROCESS" | "PAID" | "FAILED" | "PRINTED" | "VOID" | "EXPIRED" | "MAILED" | "REFUNDED";
                                } | null;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/batch/{id}/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The version that you reviewed. The request is refused if the current version is a different one */
                        version?: string | null;
                    };
                };
            };
            responses: {
                /** @description Done */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            id: string;
                            name: string;
                            /** @enum {string} */
                            status: "UNPAID" | "APPROVED" | "VOID";
                            /**
                             * @description The outcome; null while the batch is open
                             * @enum {string|null}
                             */
                            outcome: "RELEASED" | "VOIDED" | "REJECTED" | "EXPIRED" | null;
                            /** @description The reason for the rejection; null for other outcomes */
                            reason: string | null;
                            /** @description The total in dollars */
                            amount: number;
                            /** @description The number of payments */
                            count: number;
                            /** @description Changes each time the rows are replaced or an account of a payee changes */
                            version: string;
                            /** @description The bank or wallet that pays; null for the default bank at the time of the release */
                            account: string | null;
                            /** @enum {string|null} */
                            mail_type: "USPS_FIRST_CLASS" | "OVERNIGHT" | "TWO_DAY" | "USPS_CERTIFIED" | null;
                            prepared_by: string;
                            edited_by: string[];
                            /** @description The person who released, rejected or voided the batch */
                            ended_by: string | null;
                            date: string;
                            updated: string;
                            /** @description When the batch expires; null once it is no longer open */
                            expires: string | null;
                            /** @description The approvals that the batch still needs and already has */
                            approvals: {
                                /** @description The number of people who must approve the batch */
                                needed: number;
                                reasons: string[];
                                approved_by: string[];
                                /**
                                 * @description The action that you can take now
                                 * @enum {string}
                                 */
                                next: "release" | "approve" | "none";
                            } | null;
                            /** @description The number and total of the payments in each status. Empty before the release */
                            payments: {
                                /** @enum {string} */
                                status: "UNPAID" | "IN_PROCESS" | "PAID" | "FAILED" | "PRINTED" | "VOID" | "EXPIRED" | "MAILED" | "REFUNDED";
                                count: number;
                                amount: number;
                            }[];
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/batch/{id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The version that you reviewed. The request is refused if the current version is a different one */
                        version?: string | null;
                    };
                };
            };
            responses: {
                /** @description Done */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/batch/{id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description a text that is not only white space */
                        reason: string;
                    };
                };
            };
            responses: {
                /** @description Done */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/invoice": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    page?: number;
                    per_page?: 10 | 25 | 50 | 100 | 250;
                    q?: string;
                    sort?: "+NUMBER" | "-NUMBER" | "+TYPE" | "-TYPE" | "+AMOUNT" | "-AMOUNT" | "+STATUS" | "-STATUS" | "+DATE" | "-DATE" | "+UPDATE" | "-UPDATE" | "+DESCRIPTION" | "-DESCRIPTION";
                    cursor?: string;
                    direction?: "INCOMING" | "OUTGOING";
                    status?: "UNPAID" | "IN_PROCESS" | "PAID" | "VOID";
                    start_date?: string;
                    end_date?: string;
                    time_zone?: "UTC" | "PLATFORM";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            invoices: {
                                id: string;
                                /** @description Dollars */
                                amount: number;
                                date: string;
                                name: string;
                                /** @description The number from the request, or the next number of the user’s own counter */
                                number: string;
                                recipient: string;
                                description: string;
                                /** @enum {string} */
                                status: "UNPAID" | "IN_PROCESS" | "PAID" | "VOID";
                                /** @enum {string} */
                                direction: "INCOMING" | "OUTGOING";
                                /** @description The payment; null while the invoice is UNPAID or VOID */
                                check_id: string | null;
                                /** @description The address of the attachment; null if there is none */
                                attachment_uri: string | null;
                            }[];
                            page?: number;
                            pages?: number;
                            total?: number;
                        };
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description Dollars, at least 0.01, with at most two decimals */
                        amount: number;
                        /** @description a text that is not only white space */
                        name: string;
                        /** @description a text that is not only white space */
                        recipient: string;
                        /** @description a text that is not only white space */
                        description: string;
                        /** @description an id of 32 lower-case hex digits */
                        account?: string | null;
                        number?: string | null;
                        /** @description a file in base64, or {filename, content} */
                        attachment?: string | {
                            filename?: string | null;
                            content: string;
                        } | null;
                        /**
                         * Format: date
                         * @description a date, as YYYY-MM-DD
                         */
                        due_date?: string | null;
                        terms?: string | null;
                        /** @description 1 to 50 lines. Each line is rounded to cents, half up: first quantity × unit_price, then its tax. `amount` must be their total. */
                        items?: {
                            /** @description a text that is not only white space */
                            description: string;
                            /** @description At least 0.001, with at most three decimals */
                            quantity: number;
                            /** @description Dollars, at least 0.01, with at most two decimals */
                            unit_price: number;
                            /** @description Percent, with at most three decimals. Default: no tax */
                            tax_rate?: number | null;
                        }[] | null;
                    };
                };
            };
            responses: {
                /** @description Done */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            id: string;
                            /** @description Dollars */
                            amount: number;
                            date: string;
                            name: string;
                            /** @description The number from the request, or the next number of the user’s own counter */
                            number: string;
                            recipient: string;
                            description: string;
                            /** @enum {string} */
                            status: "UNPAID" | "IN_PROCESS" | "PAID" | "VOID";
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/invoice/payment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description an id of 32 lower-case hex digits */
                        id: string;
                        /** @description Dollars, at least 0.01, with at most two decimals */
                        amount: number;
                        /** @description an id of 32 lower-case hex digits */
                        account?: string | null;
                    };
                };
            };
            responses: {
                /** @description Done */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The payment */
                            id: string;
                            /** @description Dollars */
                            amount: number;
                            date: string;
                            name: string;
                            /** @enum {string} */
                            status: "UNPAID" | "IN_PROCESS" | "PAID" | "FAILED" | "PRINTED" | "VOID" | "EXPIRED" | "MAILED" | "REFUNDED";
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/invoice/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            id: string;
                            /** @description Dollars */
                            amount: number;
                            date: string;
                            name: string;
                            /** @description The number from the request, or the next number of the user’s own counter */
                            number: string;
                            recipient: string;
                            description: string;
                            /** @enum {string} */
                            status: "UNPAID" | "IN_PROCESS" | "PAID" | "VOID";
                            /** @enum {string} */
                            direction: "INCOMING" | "OUTGOING";
                            /** @description The payment; null while the invoice is UNPAID or VOID */
                            check_id: string | null;
                            /** @description The address of the attachment; null if there is none */
                            attachment_uri: string | null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/invoices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    page?: number;
                    per_page?: 10 | 25 | 50 | 100 | 250;
                    q?: string;
                    sort?: "+NUMBER" | "-NUMBER" | "+TYPE" | "-TYPE" | "+AMOUNT" | "-AMOUNT" | "+STATUS" | "-STATUS" | "+DATE" | "-DATE" | "+UPDATE" | "-UPDATE" | "+DESCRIPTION" | "-DESCRIPTION";
                    cursor?: string;
                    direction?: "INCOMING" | "OUTGOING";
                    status?: "UNPAID" | "IN_PROCESS" | "PAID" | "VOID" | "OVERDUE";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            invoices: {
                                id: string;
                                /** @description Dollars */
                                amount: number;
                                date: string;
                                name: string;
                                /** @description The number from the request, or the next number of the user’s own counter */
                                number: string;
                                recipient: string;
                                description: string;
                                /** @enum {string} */
                                status: "UNPAID" | "IN_PROCESS" | "PAID" | "VOID";
                                /** @enum {string} */
                                direction: "INCOMING" | "OUTGOING";
                                /** @description The payment; null while the invoice is UNPAID or VOID */
                                check_id: string | null;
                                /** @description The address of the attachment; null if there is none */
                                attachment_uri: string | null;
                                /** @description YYYY-MM-DD */
                                due_date: string | null;
                                is_overdue: boolean;
                            }[];
                            page?: number;
                            pages?: number;
                            total?: number;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/invoice/sender/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            sender: string;
                            /** @description Whether the invoice comes from another platform, where it is paid on the page of the link */
                            has_page: boolean;
                            /** @description Whether a payment of the invoice waits for approval */
                            waits: boolean;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/invoice/{id}/details": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description YYYY-MM-DD */
                            due_date: string | null;
                            /** @description Whether the invoice is UNPAID after its due date, in the time zone of the service */
                            is_overdue: boolean;
                            terms: string | null;
                            /** @description The lines; empty for an invoice with only a total */
                            items: {
                                description: string;
                                quantity: number;
                                unit_price: number;
                                /** @description The tax rate in percent */
                                tax_rate: number;
                                /** @description The amount before tax */
                                amount: number;
                                tax: number;
                                total: number;
                            }[];
                            /** @description The total before tax; null for an invoice without lines */
                            subtotal: number | null;
                            tax: number | null;
                            /** @description Whether the caller can copy a link to the page of the invoice. Only the sender can, if the recipient has no account */
                            has_link: boolean;
                            /** @description The events of the invoice, oldest first. Only the sender sees `mail` and `remind`. */
                            entries: {
                                /** @enum {string} */
                                event: "send" | "mail" | "remind" | "begin_payment" | "pay" | "fail_payment" | "void";
                                /** @description The time on the clock of the platform */
                                time: string;
                                /** @description The ID of the payment, if the caller can read it */
                                check_id: string | null;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/subscription/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description Dollars, at least 0.01, with at most two decimals */
                        amount: number;
                        /** @description a text that is not only white space */
                        name: string;
                        /** @description an email address, a phone number or a user_id of the platform, or a postal address for a mailed check */
                        recipient: string | {
                            line_1: string;
                            line_2?: string | null;
                            city: string;
                            state: string;
                            zip: string;
                            country?: string | null;
                        };
                        /** @description an id of 32 lower-case hex digits */
                        account?: string | null;
                        description?: string | null;
                        /** @description a text of at most 3990 characters, or 1 to 50 lines {id, date, amount, description} */
                        remittance_advice?: string | {
                            id: string;
                            /**
                             * Format: date
                             * @description a date, as YYYY-MM-DD
                             */
                            date: string;
                            /** @description Dollars, at least 0.01, with at most two decimals */
                            amount?: number | null;
                            description?: string | null;
                        }[] | null;
                        /** @enum {string} */
                        interval: "WEEKLY" | "MONTHLY";
                        /** @description The number of runs. null: endless */
                        duration?: number | null;
                        /**
                         * Format: date
                         * @description a date, as YYYY-MM-DD
                         */
                        start_date?: string | null;
                    };
                };
            };
            responses: {
                /** @description Done */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            id: string;
                            /** @enum {string} */
                            type: "CHECK" | "INVOICE";
                            /** @description Dollars */
                            amount: number;
                            name: string;
                            recipient: string;
                            description: string | null;
                            /** @description null: the default bank at the time of each run */
                            account: string | null;
                            /** @enum {string} */
                            interval: "WEEKLY" | "MONTHLY";
                            /** @description The number of runs. null: endless */
                            duration: number | null;
                            /** @description YYYY-MM-DD */
                            start_date: string;
                            date: string;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/subscription": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    page?: number;
                    per_page?: 10 | 25 | 50 | 100 | 250;
                    q?: string;
                    sort?: "+TYPE" | "-TYPE" | "+AMOUNT" | "-AMOUNT" | "+DATE" | "-DATE" | "+DESCRIPTION" | "-DESCRIPTION";
                    cursor?: string;
                    direction?: "INCOMING" | "OUTGOING";
                    status?: "UNPAID" | "IN_PROCESS" | "PAID" | "FAILED" | "PRINTED" | "VOID" | "EXPIRED" | "MAILED" | "REFUNDED" | "OVERDUE" | "CANCELED";
                    start_date?: string;
                    end_date?: string;
                    time_zone?: "UTC" | "PLATFORM";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            subscriptions: {
                                id: string;
                                /** @enum {string} */
                                type: "CHECK" | "INVOICE";
                                /** @description Dollars */
                                amount: number;
                                name: string;
                                recipient: string;
                                description: string | null;
                                /** @description null: the default bank at the time of each run */
                                account: string | null;
                                /** @enum {string} */
                                interval: "WEEKLY" | "MONTHLY";
                                /** @description The number of runs. null: endless */
                                duration: number | null;
                                /** @description YYYY-MM-DD */
                                start_date: string;
                                date: string;
                                /** @enum {string} */
                                status: "UNPAID" | "IN_PROCESS" | "PAID" | "FAILED" | "PRINTED" | "VOID" | "EXPIRED" | "MAILED" | "REFUNDED" | "OVERDUE" | "CANCELED";
                                /** @description The numbers of the runs that were or will be skipped, counted from 1 */
                                skipped: number[];
                                autopay: boolean;
                            }[];
                            page?: number;
                            pages?: number;
                            total?: number;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/subscription/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            id: string;
                            /** @enum {string} */
                            type: "CHECK" | "INVOICE";
                            /** @description Dollars */
                            amount: number;
                            name: string;
                            recipient: string;
                            description: string | null;
                            /** @description null: the default bank at the time of each run */
                            account: string | null;
                            /** @enum {string} */
                            interval: "WEEKLY" | "MONTHLY";
                            /** @description The number of runs. null: endless */
                            duration: number | null;
                            /** @description YYYY-MM-DD */
                            start_date: string;
                            date: string;
                            /** @enum {string} */
                            status: "UNPAID" | "IN_PROCESS" | "PAID" | "FAILED" | "PRINTED" | "VOID" | "EXPIRED" | "MAILED" | "REFUNDED" | "OVERDUE" | "CANCELED";
                            /** @description The numbers of the runs that were or will be skipped, counted from 1 */
                            skipped: number[];
                            autopay: boolean;
                        };
                    };
                };
            };
        };
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        autopay?: boolean;
                        skipped?: number[];
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/subscription/{id}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {string} */
                            state: "ACTIVE" | "ENDED" | "CANCELED";
                            /**
                             * @description INCOMING: the subscription sends invoices to you
                             * @enum {string}
                             */
                            direction: "INCOMING" | "OUTGOING";
                            /** @description The name of the sender */
                            sender: string;
                            /** @description The text that `autopay` agrees to; null unless `direction` is INCOMING */
                            autopay_text: string | null;
                            runs: {
                                /** @description The number of the run, from 1 */
                                number: number;
                                date: string;
                                /**
                                 * @description PREPARED: the run prepared a payment, which waits for its release
                                 * @enum {string}
                                 */
                                outcome: "SKIPPED" | "PAID" | "PREPARED" | "INVOICED" | "FAILED";
                                /** @description The ID of the payment */
                                payment: string | null;
                                /** @description The ID of the prepared payment */
                                approval: string | null;
                                /** @description The ID of the invoice */
                                invoice: string | null;
                                /** @description The code of the error that refused the run */
                                code: string | null;
                                /** @description The message of that error */
                                message: string | null;
                            }[];
                            next: {
                                number: number;
                                date: string;
                                skipped: boolean;
                            }[];
                        };
                    };
                };
            };
        };
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The number of the run, from 1 */
                        number: number;
                        skipped: boolean;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/invoice/notify/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": Record<string, never>;
                };
            };
            responses: {
                /** @description Done */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/invoice/open/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            token: string;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/invoice/link/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            url: string;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/invoice/mail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        token: string;
                    };
                };
            };
            responses: {
                /** @description Done */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/invoice/pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        token: string;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/invoice/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        token: string;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            sender: string;
                            /** @description A data URL */
                            logo: string | null;
                            number: string;
                            date: string;
                            /** @description The day of the business on which it was sent, YYYY-MM-DD */
                            day: string;
                            name: string;
                            amount: number;
                            description: string;
                            /** @enum {string} */
                            status: "UNPAID" | "IN_PROCESS" | "PAID" | "VOID";
                            bank: {
                                name: string | null;
                                /** @description The last four digits */
                                account: string;
                                /** @enum {string} */
                                status: "DEPOSIT_ONLY" | "PENDING" | "VERIFIED";
                            } | null;
                            /** @description The text to agree to; null while the invoice cannot be paid */
                            authorization: string | null;
                            /** @description Whether the recipient has an account in this service, where it pays the invoice */
                            in_account: boolean;
                            /** @description Whether an account can be verified by signing in at its institution */
                            can_sign_in: boolean;
                            /** @description Whether the link only shows the invoice, because its sender created it */
                            is_view_only: boolean;
                            /** @description YYYY-MM-DD */
                            due_date: string | null;
                            is_overdue: boolean;
                            terms: string | null;
                            /** @description The lines; empty for an invoice with only a total */
                            items: {
                                description: string;
                                quantity: number;
                                unit_price: number;
                                /** @description The tax rate in percent */
                                tax_rate: number;
                                /** @description The amount before tax */
                                amount: number;
                                tax: number;
                                total: number;
                            }[];
                            /** @description The total before tax; null for an invoice without lines */
                            subtotal: number | null;
                            tax: number | null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/invoice/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        token: string;
                        /** @description a text that is not only white space */
                        name: string;
                        /** @description an ABA routing number of 9 digits */
                        routing: string;
                        /** @description an account number of 4 to 17 digits */
                        account: string;
                        /** @enum {string} */
                        type: "CHECKING" | "SAVINGS" | "BUSINESS";
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            sender: string;
                            /** @description A data URL */
                            logo: string | null;
                            number: string;
                            date: string;
                            /** @description The day of the business on which it was sent, YYYY-MM-DD */
                            day: string;
                            name: string;
                            amount: number;
                            description: string;
                            /** @enum {string} */
                            status: "UNPAID" | "IN_PROCESS" | "PAID" | "VOID";
                            bank: {
                                name: string | null;
                                /** @description The last four digits */
                                account: string;
                                /** @enum {string} */
                                status: "DEPOSIT_ONLY" | "PENDING" | "VERIFIED";
                            } | null;
                            /** @description The text to agree to; null while the invoice cannot be paid */
                            authorization: string | null;
                            /** @description Whether the recipient has an account in this service, where it pays the invoice */
                            in_account: boolean;
                            /** @description Whether an account can be verified by signing in at its institution */
                            can_sign_in: boolean;
                            /** @description Whether the link only shows the invoice, because its sender created it */
                            is_view_only: boolean;
                            /** @description YYYY-MM-DD */
                            due_date: string | null;
                            is_overdue: boolean;
                            terms: string | null;
                            /** @description The lines; empty for an invoice with only a total */
                            items: {
                                description: string;
                                quantity: number;
                                unit_price: number;
                                /** @description The tax rate in percent */
                                tax_rate: number;
                                /** @description The amount before tax */
                                amount: number;
                                tax: number;
                                total: number;
                            }[];
                            /** @description The total before tax; null for an invoice without lines */
                            subtotal: number | null;
                            tax: number | null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/invoice/institutions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        token: string;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            institutions: {
                                id: string;
                                name: string;
                                form: {
                                    name: string;
                                    /** @enum {string} */
                                    type: "TEXT" | "PASSWORD" | "OPTION";
                                    description: string | null;
                                    options: string[];
                                }[];
                            }[];
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/invoice/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        token: string;
                        /** @description an id of 32 lower-case hex digits */
                        institution_id?: string;
                        /** @description an id of 32 lower-case hex digits */
                        mfa_id?: string;
                        values: {
                            [key: string]: string;
                        };
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            accounts: {
                                routing: string;
                                account: string;
                                name: string;
                            }[];
                            mfa: {
                                id: string;
                                form: {
                                    name: string;
                                    /** @enum {string} */
                                    type: "TEXT" | "PASSWORD" | "OPTION";
                                    description: string | null;
                                    options: string[];
                                }[];
                            } | null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/invoice/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        token: string;
                        amount_1: number;
                        amount_2: number;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            sender: string;
                            /** @description A data URL */
                            logo: string | null;
                            number: string;
                            date: string;
                            /** @description The day of the business on which it was sent, YYYY-MM-DD */
                            day: string;
                            name: string;
                            amount: number;
                            description: string;
                            /** @enum {string} */
                            status: "UNPAID" | "IN_PROCESS" | "PAID" | "VOID";
                            bank: {
                                name: string | null;
                                /** @description The last four digits */
                                account: string;
                                /** @enum {string} */
                                status: "DEPOSIT_ONLY" | "PENDING" | "VERIFIED";
                            } | null;
                            /** @description The text to agree to; null while the invoice cannot be paid */
                            authorization: string | null;
                            /** @description Whether the recipient has an account in this service, where it pays the invoice */
                            in_account: boolean;
                            /** @description Whether an account can be verified by signing in at its institution */
                            can_sign_in: boolean;
                            /** @description Whether the link only shows the invoice, because its sender created it */
                            is_view_only: boolean;
                            /** @description YYYY-MM-DD */
                            due_date: string | null;
                            is_overdue: boolean;
                            terms: string | null;
                            /** @description The lines; empty for an invoice with only a total */
                            items: {
                                description: string;
                                quantity: number;
                                unit_price: number;
                                /** @description The tax rate in percent */
                                tax_rate: number;
                                /** @description The amount before tax */
                                amount: number;
                                tax: number;
                                total: number;
                            }[];
                            /** @description The total before tax; null for an invoice without lines */
                            subtotal: number | null;
                            tax: number | null;
                            tries_left: number | null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/invoice/pay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        token: string;
                        authorization: string;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            sender: string;
                            /** @description A data URL */
                            logo: string | null;
                            number: string;
                            date: string;
                            /** @description The day of the business on which it was sent, YYYY-MM-DD */
                            day: string;
                            name: string;
                            amount: number;
                            description: string;
                            /** @enum {string} */
                            status: "UNPAID" | "IN_PROCESS" | "PAID" | "VOID";
                            bank: {
                                name: string | null;
                                /** @description The last four digits */
                                account: string;
                                /** @enum {string} */
                                status: "DEPOSIT_ONLY" | "PENDING" | "VERIFIED";
                            } | null;
                            /** @description The text to agree to; null while the invoice cannot be paid */
                            authorization: string | null;
                            /** @description Whether the recipient has an account in this service, where it pays the invoice */
                            in_account: boolean;
                            /** @description Whether an account can be verified by signing in at its institution */
                            can_sign_in: boolean;
                            /** @description Whether the link only shows the invoice, because its sender created it */
                            is_view_only: boolean;
                            /** @description YYYY-MM-DD */
                            due_date: string | null;
                            is_overdue: boolean;
                            terms: string | null;
                            /** @description The lines; empty for an invoice with only a total */
                            items: {
                                description: string;
                                quantity: number;
                                unit_price: number;
                                /** @description The tax rate in percent */
                                tax_rate: number;
                                /** @description The amount before tax */
                                amount: number;
                                tax: number;
                                total: number;
                            }[];
                            /** @description The total before tax; null for an invoice without lines */
                            subtotal: number | null;
                            tax: number | null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/views": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            views: {
                                id: string;
                                name: string;
                                filters: {
                                    /** @description an id of 32 lower-case hex digits */
                                    user?: string;
                                    /** @description an id of 32 lower-case hex digits */
                                    batch?: string;
                                    /** @enum {string} */
                                    direction?: "INCOMING" | "OUTGOING";
                                    /** @enum {string} */
                                    status?: "UNPAID" | "IN_PROCESS" | "PAID" | "FAILED" | "PRINTED" | "VOID" | "EXPIRED" | "MAILED" | "REFUNDED";
                                    /** @enum {string} */
                                    rail?: "ACH" | "MAIL" | "PRINT" | "INSTANT" | "RTP" | "WALLET" | "PAYPAL" | "VENMO" | "INTERAC" | "WIRE" | "SWIFT";
                                    /** @description Dollars */
                                    min_amount?: number;
                                    /** @description Dollars */
                                    max_amount?: number;
                                    q?: string;
                                    /**
                                     * Format: date
                                     * @description a date, as YYYY-MM-DD
                                     */
                                    start_date?: string;
                                    /**
                                     * Format: date
                                     * @description a date, as YYYY-MM-DD
                                     */
                                    end_date?: string;
                                };
                            }[];
                            limit: number;
                        };
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description a text that is not only white space */
                        name: string;
                        filters: {
                            /** @description an id of 32 lower-case hex digits */
                            user?: string;
                            /** @description an id of 32 lower-case hex digits */
                            batch?: string;
                            /** @enum {string} */
                            direction?: "INCOMING" | "OUTGOING";
                            /** @enum {string} */
                            status?: "UNPAID" | "IN_PROCESS" | "PAID" | "FAILED" | "PRINTED" | "VOID" | "EXPIRED" | "MAILED" | "REFUNDED";
                            /** @enum {string} */
                            rail?: "ACH" | "MAIL" | "PRINT" | "INSTANT" | "RTP" | "WALLET" | "PAYPAL" | "VENMO" | "INTERAC" | "WIRE" | "SWIFT";
                            /** @description Dollars */
                            min_amount?: number;
                            /** @description Dollars */
                            max_amount?: number;
                            q?: string;
                            /**
                             * Format: date
                             * @description a date, as YYYY-MM-DD
                             */
                            start_date?: string;
                            /**
                             * Format: date
                             * @description a date, as YYYY-MM-DD
                             */
                            end_date?: string;
                        };
                    };
                };
            };
            responses: {
                /** @description Done */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            id: string;
                            name: string;
                            filters: {
                                /** @description an id of 32 lower-case hex digits */
                                user?: string;
                                /** @description an id of 32 lower-case hex digits */
                                batch?: string;
                                /** @enum {string} */
                                direction?: "INCOMING" | "OUTGOING";
                                /** @enum {string} */
                                status?: "UNPAID" | "IN_PROCESS" | "PAID" | "FAILED" | "PRINTED" | "VOID" | "EXPIRED" | "MAILED" | "REFUNDED";
                                /** @enum {string} */
                                rail?: "ACH" | "MAIL" | "PRINT" | "INSTANT" | "RTP" | "WALLET" | "PAYPAL" | "VENMO" | "INTERAC" | "WIRE" | "SWIFT";
                                /** @description Dollars */
                                min_amount?: number;
                                /** @description Dollars */
                                max_amount?: number;
                                q?: string;
                                /**
                                 * Format: date
                                 * @description a date, as YYYY-MM-DD
                                 */
                                start_date?: string;
                                /**
                                 * Format: date
                                 * @description a date, as YYYY-MM-DD
                                 */
                                end_date?: string;
                            };
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/views/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description a text that is not only white space */
                        name?: string;
                        filters?: {
                            /** @description an id of 32 lower-case hex digits */
                            user?: string;
                            /** @description an id of 32 lower-case hex digits */
                            batch?: string;
                            /** @enum {string} */
                            direction?: "INCOMING" | "OUTGOING";
                            /** @enum {string} */
                            status?: "UNPAID" | "IN_PROCESS" | "PAID" | "FAILED" | "PRINTED" | "VOID" | "EXPIRED" | "MAILED" | "REFUNDED";
                            /** @enum {string} */
                            rail?: "ACH" | "MAIL" | "PRINT" | "INSTANT" | "RTP" | "WALLET" | "PAYPAL" | "VENMO" | "INTERAC" | "WIRE" | "SWIFT";
                            /** @description Dollars */
                            min_amount?: number;
                            /** @description Dollars */
                            max_amount?: number;
                            q?: string;
                            /**
                             * Format: date
                             * @description a date, as YYYY-MM-DD
                             */
                            start_date?: string;
                            /**
                             * Format: date
                             * @description a date, as YYYY-MM-DD
                             */
                            end_date?: string;
                        };
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            id: string;
                            name: string;
                            filters: {
                                /** @description an id of 32 lower-case hex digits */
                                user?: string;
                                /** @description an id of 32 lower-case hex digits */
                                batch?: string;
                                /** @enum {string} */
                                direction?: "INCOMING" | "OUTGOING";
                                /** @enum {string} */
                                status?: "UNPAID" | "IN_PROCESS" | "PAID" | "FAILED" | "PRINTED" | "VOID" | "EXPIRED" | "MAILED" | "REFUNDED";
                                /** @enum {string} */
                                rail?: "ACH" | "MAIL" | "PRINT" | "INSTANT" | "RTP" | "WALLET" | "PAYPAL" | "VENMO" | "INTERAC" | "WIRE" | "SWIFT";
                                /** @description Dollars */
                                min_amount?: number;
                                /** @description Dollars */
                                max_amount?: number;
                                q?: string;
                                /**
                                 * Format: date
                                 * @description a date, as YYYY-MM-DD
                                 */
                                start_date?: string;
                                /**
                                 * Format: date
                                 * @description a date, as YYYY-MM-DD
                                 */
                                end_date?: string;
                            };
                        };
                    };
                };
            };
        };
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/former-payees": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            payees: {
                                name: string;
                                /** @description null for a check by mail */
                                recipient: string | null;
                                address: {
                                    line_1: string;
                                    line_2: string | null;
                                    city: string;
                                    state: string;
                                    zip: string;
                                } | null;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/payment-days": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            from: {
                                /** @enum {string} */
                                account: "bank" | "wallet";
                                /**
                                 * Format: date
                                 * @description a date, as YYYY-MM-DD
                                 */
                                debited: string;
                                arrives: {
                                    /** @enum {string} */
                                    rail: "ACH" | "MAIL" | "PRINT" | "INSTANT" | "RTP" | "WALLET" | "PAYPAL" | "VENMO" | "INTERAC" | "WIRE" | "SWIFT";
                                    /**
                                     * Format: date
                                     * @description a date, as YYYY-MM-DD
                                     */
                                    day: string;
                                }[];
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/check/digital": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description Dollars, at least 0.01, with at most two decimals */
                        amount: number;
                        /** @description a text that is not only white space */
                        name: string;
                        /** @description an id of 32 lower-case hex digits */
                        account?: string | null;
                        description?: string | null;
                        comment?: string | null;
                        /** @description a check number: 1 to 100000000, or a text of 1 to 32 characters */
                        number?: number | string | null;
                        /** @description a file in base64, or {filename, content} */
                        attachment?: string | {
                            filename?: string | null;
                            content: string;
                        } | null;
                        deposit_options?: ("PRINT" | "MAIL" | "BANK" | "CARD" | "VCC" | "RTP" | "PAYPAL" | "WALLET" | "VENMO" | "INTERAC" | "WIRE")[] | null;
                        pin?: {
                            description?: string | null;
                            value: string;
                        } | null;
                        /** @description an email address, a phone number, a user_id of the platform, or {id, account} */
                        recipient: string | {
                            id: string;
                            /** @description an id of 32 lower-case hex digits */
                            account: string;
                        };
                        remittance_advice?: {
                            id: string;
                            /**
                             * Format: date
                             * @description a date, as YYYY-MM-DD
                             */
                            date: string;
                            /** @description Dollars, at least 0.01, with at most two decimals */
                            amount?: number | null;
                            description?: string | null;
                        }[] | null;
                    };
                };
            };
            responses: {
                /** @description Done */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            id: string;
                            /** @description The number from the request, or the next number of the user’s own counter */
                            number: number | string;
                            /** @description Dollars */
                            amount: number;
                            date: string;
                            /** @enum {string} */
                            status: "UNPAID" | "IN_PROCESS" | "PAID" | "FAILED" | "PRINTED" | "VOID" | "EXPIRED" | "MAILED" | "REFUNDED";
                            name: string;
                            recipient: string;
                            description: string | null;
                            comment: string | null;
                            image_uri: string | null;
                            /** @description One row for each line item: id, date, amount with two decimals, description. A cell without a value is empty. */
                            remittance_advice: string[][];
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/check/physical": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description Dollars, at least 0.01, with at most two decimals */
                        amount: number;
                        /** @description a text that is not only white space */
                        name: string;
                        /** @description an id of 32 lower-case hex digits */
                        account?: string | null;
                        description?: string | null;
                        comment?: string | null;
                        /** @description a check number: 1 to 100000000, or a text of 1 to 32 characters */
                        number?: number | string | null;
                        /** @description a file in base64, or {filename, content} */
                        attachment?: string | {
                            filename?: string | null;
                            content: string;
                        } | null;
                        /** @enum {string|null} */
                        mail_type?: "USPS_FIRST_CLASS" | "OVERNIGHT" | "TWO_DAY" | "USPS_CERTIFIED" | null;
                        /** @description a postal address {line_1, city, state, zip}. POST /v3/check/digital takes an email address, phone number or user_id */
                        recipient: {
                            line_1: string;
                            line_2?: string | null;
                            city: string;
                            state: string;
                            zip: string;
                            country?: string | null;
                        };
                        /** @description a text of at most 3990 characters, or 1 to 50 lines {id, date, amount, description} */
                        remittance_advice?: string | {
                            id: string;
                            /**
                             * Format: date
                             * @description a date, as YYYY-MM-DD
                             */
                            date: string;
                            /** @description Dollars, at least 0.01, with at most two decimals */
                            amount?: number | null;
                            description?: string | null;
                        }[] | null;
                    };
                };
            };
            responses: {
                /** @description Done */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            id: string;
                            /** @description The number from the request, or the next number of the user’s own counter */
                            number: number | string;
                            /** @description Dollars */
                            amount: number;
                            date: string;
                            /** @enum {string} */
                            status: "UNPAID" | "IN_PROCESS" | "PAID" | "FAILED" | "PRINTED" | "VOID" | "EXPIRED" | "MAILED" | "REFUNDED";
                            name: string;
                            recipient: string;
                            description: string | null;
                            comment: string | null;
                            image_uri: string | null;
                            /** @description One row for each line item: id, date, amount with two decimals, description. A cell without a value is empty. */
                            remittance_advice: string[][];
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/check/multi": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description Dollars, at least 0.01, with at most two decimals */
                        amount: number;
                        /** @description an id of 32 lower-case hex digits */
                        account?: string | null;
                        description?: string | null;
                        comment?: string | null;
                        /** @description a check number: 1 to 100000000, or a text of 1 to 32 characters */
                        number?: number | string | null;
                        /** @description a file in base64, or {filename, content} */
                        attachment?: string | {
                            filename?: string | null;
                            content: string;
                        } | null;
                        deposit_options?: ("PRINT" | "MAIL" | "BANK" | "CARD" | "VCC" | "RTP" | "PAYPAL" | "WALLET" | "VENMO" | "INTERAC" | "WIRE")[] | null;
                        recipients: {
                            /** @description a text that is not only white space */
                            name: string;
                            /** @description the user_id of a user of the platform, or an email address */
                            recipient: string;
                            pin?: {
                                description?: string | null;
                                value: string;
                            } | null;
                            endorse_only?: boolean | null;
                        }[];
                        remittance_advice?: {
                            id: string;
                            /**
                             * Format: date
                             * @description a date, as YYYY-MM-DD
                             */
                            date: string;
                            /** @description Dollars, at least 0.01, with at most two decimals */
                            amount?: number | null;
                            description?: string | null;
                        }[] | null;
                    };
                };
            };
            responses: {
                /** @description Done */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            id: string;
                            /** @description The number from the request, or the next number of the user’s own counter */
                            number: number | string;
                            /** @description Dollars */
                            amount: number;
                            date: string;
                            /** @enum {string} */
                            status: "UNPAID" | "IN_PROCESS" | "PAID" | "FAILED" | "PRINTED" | "VOID" | "EXPIRED" | "MAILED" | "REFUNDED";
                            name: string;
                            recipient: string;
                            description: string | null;
                            comment: string | null;
                            image_uri: string | null;
                            /** @description One row for each line item: id, date, amount with two decimals, description. A cell without a value is empty. */
                            remittance_advice: string[][];
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/payment/{id}/copy.pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/check/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description Dollars, at least 0.01, with at most two decimals */
                        amount: number;
                        /** @description a text that is not only white space */
                        name: string;
                        /** @description an id of 32 lower-case hex digits */
                        account?: string | null;
                        description?: string | null;
                        comment?: string | null;
                        /** @description a check number: 1 to 100000000, or a text of 1 to 32 characters */
                        number?: number | string | null;
                        /** @description a file in base64, or {filename, content} */
                        attachment?: string | {
                            filename?: string | null;
                            content: string;
                        } | null;
                        deposit_options?: ("PRINT" | "MAIL" | "BANK" | "CARD" | "VCC" | "RTP" | "PAYPAL" | "WALLET" | "VENMO" | "INTERAC" | "WIRE")[] | null;
                        pin?: {
                            description?: string | null;
                            value: string;
                        } | null;
                        /** @enum {string|null} */
                        mail_type?: "USPS_FIRST_CLASS" | "OVERNIGHT" | "TWO_DAY" | "USPS_CERTIFIED" | null;
                        /** @description an email address, a phone number, a user_id of the platform, {id, account}, or a postal address */
                        recipient?: string | {
                            id: string;
                            /** @description an id of 32 lower-case hex digits */
                            account: string;
                        } | {
                            line_1: string;
                            line_2?: string | null;
                            city: string;
                            state: string;
                            zip: string;
                            country?: string | null;
                        } | null;
                        /** @description a text of at most 3990 characters, or 1 to 50 lines {id, date, amount, description} */
                        remittance_advice?: string | {
                            id: string;
                            /**
                             * Format: date
                             * @description a date, as YYYY-MM-DD
                             */
                            date: string;
                            /** @description Dollars, at least 0.01, with at most two decimals */
                            amount?: number | null;
                            description?: string | null;
                        }[] | null;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description A PNG in base64. It shows only the last four digits of the account number. */
                            image: string;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/check/print/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": Record<string, never>;
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/check/{id}/tracking": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            tracking: {
                                action_ts: string;
                                location: string;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/payment/{id}/receipt.pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/payments/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The expected day, YYYY-MM-DD; null unless the money is in transit */
                            expected: string | null;
                            /** @description When the payee got the money */
                            arrived: string | null;
                            /** @description The number on the check; null if it equals the number of the payment */
                            check_number: number | null;
                            traces: {
                                /** @enum {string} */
                                movement: "debit" | "credit" | "refund";
                                /** @description The trace number of an ACH entry: 15 digits */
                                number: string;
                                /** @description YYYY-MM-DD */
                                effective_date: string;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/check/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            id: string;
                            /** @description The number from the request, or the next number of the user’s own counter */
                            number: number | string;
                            /** @description Dollars */
                            amount: number;
                            date: string;
                            /** @enum {string} */
                            status: "UNPAID" | "IN_PROCESS" | "PAID" | "FAILED" | "PRINTED" | "VOID" | "EXPIRED" | "MAILED" | "REFUNDED";
                            name: string;
                            recipient: string;
                            description: string | null;
                            comment: string | null;
                            image_uri: string | null;
                            /** @description One row for each line item: id, date, amount with two decimals, description. A cell without a value is empty. */
                            remittance_advice: string[][];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/check/deposit/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description an id of 32 lower-case hex digits */
                        account: string;
                    };
                };
            };
            responses: {
                /** @description Done */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            id: string;
                            /** @description The number from the request, or the next number of the user’s own counter */
                            number: number | string;
                            /** @description Dollars */
                            amount: number;
                            date: string;
                            /** @enum {string} */
                            status: "UNPAID" | "IN_PROCESS" | "PAID" | "FAILED" | "PRINTED" | "VOID" | "EXPIRED" | "MAILED" | "REFUNDED";
                            name: string;
                            recipient: string;
                            description: string | null;
                            comment: string | null;
                            image_uri: string | null;
                            /** @description One row for each line item: id, date, amount with two decimals, description. A cell without a value is empty. */
                            remittance_advice: string[][];
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/check/{id}/attachment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/payment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    per_page?: 10 | 25 | 50 | 100 | 250;
                    cursor?: string;
                    start_date?: string;
                    end_date?: string;
                    time_zone?: "UTC" | "PLATFORM";
                    user?: string;
                    batch?: string;
                    direction?: "INCOMING" | "OUTGOING";
                    status?: "UNPAID" | "IN_PROCESS" | "PAID" | "FAILED" | "PRINTED" | "VOID" | "EXPIRED" | "MAILED" | "REFUNDED";
                    rail?: "ACH" | "MAIL" | "PRINT" | "INSTANT" | "RTP" | "WALLET" | "PAYPAL" | "VENMO" | "INTERAC" | "WIRE" | "SWIFT";
                    min_amount?: number;
                    max_amount?: number;
                    q?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            payments: {
                                id: string;
                                /** @description The number from the request, or the next number of the user’s own counter */
                                number: number | string;
                                /** @description Dollars */
                                amount: number;
                                date: string;
                                /** @enum {string} */
                                status: "UNPAID" | "IN_PROCESS" | "PAID" | "FAILED" | "PRINTED" | "VOID" | "EXPIRED" | "MAILED" | "REFUNDED";
                                name: string;
                                recipient: string;
                                description: string | null;
                                comment: string | null;
                                image_uri: string | null;
                                /** @enum {string} */
                                direction: "INCOMING" | "OUTGOING";
                                sender: string;
                                /**
                                 * @description null before the deposit, and for payments from another platform
                                 * @enum {string|null}
                                 */
                                rail: "ACH" | "MAIL" | "PRINT" | "INSTANT" | "RTP" | "WALLET" | "PAYPAL" | "VENMO" | "INTERAC" | "WIRE" | "SWIFT" | null;
                                /** @description Why it failed */
                                return_code: string | null;
                                /** @description The user of your platform that sends or receives the payment */
                                user: {
                                    id: string;
                                    name: string;
                                };
                            }[];
                            /** @description Set if the search stopped before the page was full. All payments created since this time were searched. Follow the `Link` header to continue. */
                            searched_to: string | null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    type?: "payment";
                    start_date?: string;
                    end_date?: string;
                    time_zone?: "UTC" | "PLATFORM";
                    user?: string;
                    batch?: string;
                    direction?: "INCOMING" | "OUTGOING";
                    status?: "UNPAID" | "IN_PROCESS" | "PAID" | "FAILED" | "PRINTED" | "VOID" | "EXPIRED" | "MAILED" | "REFUNDED";
                    rail?: "ACH" | "MAIL" | "PRINT" | "INSTANT" | "RTP" | "WALLET" | "PAYPAL" | "VENMO" | "INTERAC" | "WIRE" | "SWIFT";
                    min_amount?: number;
                    max_amount?: number;
                    q?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/payment/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            id: string;
                            /** @description The number from the request, or the next number of the user’s own counter */
                            number: number | string;
                            /** @description Dollars */
                            amount: number;
                            date: string;
                            /** @enum {string} */
                            status: "UNPAID" | "IN_PROCESS" | "PAID" | "FAILED" | "PRINTED" | "VOID" | "EXPIRED" | "MAILED" | "REFUNDED";
                            name: string;
                            recipient: string;
                            description: string | null;
                            comment: string | null;
                            image_uri: string | null;
                            /** @enum {string} */
                            direction: "INCOMING" | "OUTGOING";
                            sender: string;
                            /**
                             * @description null before the deposit, and for payments from another platform
                             * @enum {string|null}
                             */
                            rail: "ACH" | "MAIL" | "PRINT" | "INSTANT" | "RTP" | "WALLET" | "PAYPAL" | "VENMO" | "INTERAC" | "WIRE" | "SWIFT" | null;
                            /** @description Why it failed */
                            return_code: string | null;
                            /** @description The user of your platform that sends or receives the payment */
                            user: {
                                id: string;
                                name: string;
                            };
                            /** @description The account that pays; null if the caller is the recipient */
                            account: {
                                id: string;
                                /** @enum {string} */
                                kind: "bank" | "wallet";
                            } | null;
                            deposit_options: ("PRINT" | "MAIL" | "BANK" | "CARD" | "VCC" | "RTP" | "PAYPAL" | "WALLET" | "VENMO" | "INTERAC" | "WIRE")[];
                            /** @description One row for each line item: id, date, amount with two decimals, description. A cell without a value is empty. */
                            remittance_advice: string[][];
                            has_attachment: boolean;
                            /** @description The name of the person who prepared the payment */
                            prepared_by: string | null;
                            /** @description The name of the person who released the payment */
                            released_by: string | null;
                            /** @description The ID of the batch that the payment was released with */
                            batch_id: string | null;
                            /** @description YYYY-MM-DD; null before the deposit */
                            expected: string | null;
                            /** @description YYYY-MM-DD; the last day for the deposit */
                            expires: string;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/payment/{id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            entries: {
                                /** @description The position of the event, from 1 */
                                position: number;
                                /**
                                 * @description payment: the status changed. debit, credit, refund: money moved. mail: the payee got an email.
                                 * @enum {string}
                                 */
                                kind: "payment" | "debit" | "credit" | "refund" | "mail";
                                /** @description For example create, deposit, send, settle, return, pay */
                                event: string;
                                /** @description The status of the payment or of the movement after the event */
                                status: string | null;
                                /** @description The time on the clock of the platform */
                                time: string;
                                /** @description The time in the real world; null if unknown */
                                real_time: string | null;
                                /** @description The amount of the movement in dollars; null for other events */
                                amount: number | null;
                                rail: string | null;
                                return_code: string | null;
                                actor: {
                                    /**
                                     * @description recipient: the payee, using the link in an email
                                     * @enum {string}
                                     */
                                    kind: "api_key" | "person" | "application" | "recipient";
                                    /** @description The ID of the API key, person or application */
                                    id: string | null;
                                    name: string | null;
                                } | null;
                                /** @description The path of the webhook event */
                                link: string | null;
                            }[];
                            ledger: {
                                id: string;
                                /** @description The ledger account that is debited */
                                debit: string;
                                /** @description The ledger account that is credited */
                                credit: string;
                                /** @description Dollars */
                                amount: number;
                                /** @enum {string} */
                                status: "PENDING" | "POSTED" | "VOIDED";
                                reason: string;
                                time: string;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/stats/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    user?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            start_date: string;
                            end_date: string;
                            /** @description The time zone of the days */
                            time_zone: string;
                            /** @description The time on the clock of the platform */
                            as_of: string;
                            /** @description Whether all payments of the period are counted. false while older ones are still being counted */
                            is_complete: boolean;
                            /** @description The PAID payments */
                            sent: {
                                /** @description The number of payments */
                                count: number;
                                /** @description The total of the payments in dollars */
                                amount: number;
                            };
                            /** @description The payments that are UNPAID, IN_PROCESS, PRINTED or MAILED */
                            waiting: {
                                /** @description The number of payments */
                                count: number;
                                /** @description The total of the payments in dollars */
                                amount: number;
                            };
                            /** @description The payments that are FAILED, REFUNDED or EXPIRED */
                            failed: {
                                /** @description The number of payments */
                                count: number;
                                /** @description The total of the payments in dollars */
                                amount: number;
                            };
                            /** @description The share of PAID payments among those that are PAID, FAILED, REFUNDED or EXPIRED; from 0 to 1, null if there are none */
                            success_rate: number | null;
                            /** @description The share of settled debits that were returned; from 0 to 1, null if there are none */
                            return_rate: number | null;
                            days: {
                                date: string;
                                /** @description The PAID payments */
                                sent: {
                                    /** @description The number of payments */
                                    count: number;
                                    /** @description The total of the payments in dollars */
                                    amount: number;
                                };
                                /** @description The payments that are UNPAID, IN_PROCESS, PRINTED or MAILED */
                                waiting: {
                                    /** @description The number of payments */
                                    count: number;
                                    /** @description The total of the payments in dollars */
                                    amount: number;
                                };
                                /** @description The payments that are FAILED, REFUNDED or EXPIRED */
                                failed: {
                                    /** @description The number of payments */
                                    count: number;
                                    /** @description The total of the payments in dollars */
                                    amount: number;
                                };
                            }[];
                            /** @description The payments that were sent on each rail, largest amount first */
                            rails: {
                                rail: string;
                                /** @description The number of payments */
                                count: number;
                                /** @description The total of the payments in dollars */
                                amount: number;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/check/notify/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": Record<string, never>;
                };
            };
            responses: {
                /** @description Done */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/pay/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        token: string;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            sender: string;
                            /** @description A data URL */
                            logo: string | null;
                            number: string;
                            /** @description When the payment was sent */
                            date: string;
                            /** @description When the recipient chose where to deposit it */
                            deposited: string | null;
                            /** @description When the payment reached this status */
                            changed: string;
                            /** @description The masked account that receives the payment */
                            destination: string | null;
                            remittance_advice: string[][];
                            name: string;
                            amount: number;
                            description: string | null;
                            comment: string | null;
                            /** @enum {string} */
                            status: "UNPAID" | "IN_PROCESS" | "PAID" | "FAILED" | "PRINTED" | "VOID" | "EXPIRED" | "MAILED" | "REFUNDED";
                            rail: string | null;
                            /** @description YYYY-MM-DD */
                            expires: string;
                            /** @description YYYY-MM-DD */
                            expected: string | null;
                            has_attachment: boolean;
                            pin: {
                                description: string | null;
                            } | null;
                            options: ("BANK" | "CARD" | "PAYPAL" | "VENMO" | "INTERAC" | "WIRE" | "PRINT" | "MAIL")[];
                            /** @description Whether the payment was added to an account */
                            claimed: boolean;
                            endorsement: {
                                can_endorse: boolean;
                                is_endorsed: boolean;
                                can_deposit: boolean;
                                missing: string[];
                            } | null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/pay/pin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        token: string;
                        pin: string;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/pay/attachment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        token: string;
                        pin?: string;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/pay/claim": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        token: string;
                        pin?: string;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The ID of the payment */
                            payment: string;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/pay/endorse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        token: string;
                        pin?: string;
                        /** @description a text that is not only white space */
                        name: string;
                        /** @description a PNG or JPEG image in base64 */
                        signature?: string | null;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            sender: string;
                            /** @description A data URL */
                            logo: string | null;
                            number: string;
                            /** @description When the payment was sent */
                            date: string;
                            /** @description When the recipient chose where to deposit it */
                            deposited: string | null;
                            /** @description When the payment reached this status */
                            changed: string;
                            /** @description The masked account that receives the payment */
                            destination: string | null;
                            remittance_advice: string[][];
                            name: string;
                            amount: number;
                            description: string | null;
                            comment: string | null;
                            /** @enum {string} */
                            status: "UNPAID" | "IN_PROCESS" | "PAID" | "FAILED" | "PRINTED" | "VOID" | "EXPIRED" | "MAILED" | "REFUNDED";
                            rail: string | null;
                            /** @description YYYY-MM-DD */
                            expires: string;
                            /** @description YYYY-MM-DD */
                            expected: string | null;
                            has_attachment: boolean;
                            pin: {
                                description: string | null;
                            } | null;
                            options: ("BANK" | "CARD" | "PAYPAL" | "VENMO" | "INTERAC" | "WIRE" | "PRINT" | "MAIL")[];
                            /** @description Whether the payment was added to an account */
                            claimed: boolean;
                            endorsement: {
                                can_endorse: boolean;
                                is_endorsed: boolean;
                                can_deposit: boolean;
                                missing: string[];
                            } | null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/pay/print": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        token: string;
                        pin?: string;
                        /** @description Dollars, at least 0.01, with at most two decimals */
                        amount?: number;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/bank": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    page?: number;
                    per_page?: 10 | 25 | 50 | 100 | 250;
                    q?: string;
                    sort?: string;
                    cursor?: string;
                    user?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            banks: {
                                id: string;
                                routing: string;
                                /** @description The last four digits */
                                account: string;
                                /** @enum {string} */
                                type: "CHECKING" | "SAVINGS" | "BUSINESS";
                                /** @enum {string} */
                                status: "DEPOSIT_ONLY" | "PENDING" | "VERIFIED";
                                billing: boolean;
                                default: boolean;
                                date: string;
                                name: string | null;
                                /** @description Dollars; null if the bank does not report it */
                                balance: number | null;
                            }[];
                            page?: number;
                            pages?: number;
                            total?: number;
                        };
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description an ABA routing number of 9 digits */
                        routing: string;
                        /** @description an account number of 4 to 17 digits */
                        account: string;
                        /** @enum {string} */
                        type: "CHECKING" | "SAVINGS" | "BUSINESS";
                        name?: string | null;
                    };
                };
            };
            responses: {
                /** @description Done */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            id: string;
                            routing: string;
                            /** @description The last four digits */
                            account: string;
                            /** @enum {string} */
                            type: "CHECKING" | "SAVINGS" | "BUSINESS";
                            /** @enum {string} */
                            status: "DEPOSIT_ONLY" | "PENDING" | "VERIFIED";
                            billing: boolean;
                            default: boolean;
                            date: string;
                            name: string | null;
                            /** @description Dollars; null if the bank does not report it */
                            balance: number | null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/bank/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            id: string;
                            routing: string;
                            /** @description The last four digits */
                            account: string;
                            /** @enum {string} */
                            type: "CHECKING" | "SAVINGS" | "BUSINESS";
                            /** @enum {string} */
                            status: "DEPOSIT_ONLY" | "PENDING" | "VERIFIED";
                            billing: boolean;
                            default: boolean;
                            date: string;
                            name: string | null;
                            /** @description Dollars; null if the bank does not report it */
                            balance: number | null;
                        };
                    };
                };
            };
        };
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        name?: string | null;
                        default?: boolean;
                        billing?: boolean;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/bank/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description an id of 32 lower-case hex digits */
                        account: string;
                    };
                };
            };
            responses: {
                /** @description Done */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/bank/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        amount_1: number;
                        amount_2: number;
                        /** @description an id of 32 lower-case hex digits */
                        account?: string | null;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/banks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    user?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            banks: {
                                id: string;
                                routing: string;
                                /** @description The last four digits */
                                account: string;
                                /** @enum {string} */
                                type: "CHECKING" | "SAVINGS" | "BUSINESS";
                                /** @enum {string} */
                                status: "DEPOSIT_ONLY" | "PENDING" | "VERIFIED";
                                billing: boolean;
                                default: boolean;
                                date: string;
                                name: string | null;
                                /** @description Dollars; null if the bank does not report it */
                                balance: number | null;
                                nickname: string | null;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/banks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * Format: name
                         * @description a text that is not only white space
                         */
                        nickname: string | null;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/bank/institutions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    page?: number;
                    per_page?: 10 | 25 | 50 | 100 | 250;
                    q?: string;
                    sort?: string;
                    cursor?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            institutions: {
                                id: string;
                                name: string;
                                login_form: {
                                    name: string;
                                    /** @enum {string} */
                                    type: "TEXT" | "PASSWORD" | "OPTION";
                                    description: string;
                                }[];
                            }[];
                            page?: number;
                            pages?: number;
                            total?: number;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/bank/iav": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description an id of 32 lower-case hex digits */
                        institution_id?: string | null;
                        /** @description an id of 32 lower-case hex digits */
                        mfa_id?: string | null;
                    } & {
                        [key: string]: string;
                    };
                };
            };
            responses: {
                /** @description Done */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            accounts: {
                                /** @description The account number */
                                account: string;
                                routing: string;
                                name: string;
                            }[];
                            /** @description Present if the institution asks for more. Call again with `mfa_id` and the fields of `form` */
                            mfa?: {
                                id: string;
                                form: {
                                    name: string;
                                    /** @enum {string} */
                                    type: "TEXT" | "PASSWORD" | "OPTION";
                                    description: string;
                                    /** @description The allowed values, for a field of type OPTION */
                                    options: string[];
                                }[];
                            };
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/return_code/{code}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    code: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {string} */
                            code: "R01" | "R02" | "R03" | "R04" | "R05" | "R06" | "R07" | "R08" | "R09" | "R10" | "R11" | "R12" | "R13" | "R14" | "R15" | "R16" | "R17" | "R18" | "R19" | "R20" | "R21" | "R22" | "R23" | "R24" | "R25" | "R26" | "R27" | "R28" | "R29" | "R30" | "R31" | "R32" | "R33" | "R34" | "R35" | "R36" | "R37" | "R38" | "R39" | "R40" | "R41" | "R42" | "R43" | "R44" | "R45" | "R46" | "R47" | "R50" | "R51" | "R52" | "R53" | "R61" | "R62" | "R67" | "R68" | "R69" | "R70" | "R71" | "R72" | "R73" | "R74" | "R75" | "R76" | "R77" | "R80" | "R81" | "R82" | "R83" | "R84" | "R85" | "A" | "B" | "C" | "D" | "04" | "05" | "06" | "R901" | "AB01" | "AB02" | "AB03" | "AB04" | "AB05" | "AB06" | "AB07" | "AB08" | "AB09" | "AB10" | "AC01" | "AC02" | "AC03" | "AC04" | "AC05" | "AC06" | "AC07" | "AC08" | "AC09" | "AC11" | "AC12" | "AC13" | "AC14" | "AC15" | "AC17" | "AG01" | "AG02" | "AG03" | "AG07" | "AG08" | "AG09" | "AG10" | "AG11" | "AGNT" | "AM01" | "AM02" | "AM03" | "AM04" | "AM05" | "AM06" | "AM07" | "AM09" | "AM10" | "AM11" | "AM12" | "AM13" | "AM14" | "AM15" | "AM21" | "AM23" | "BE01" | "BE04" | "BE05" | "BE06" | "BE07" | "BE08" | "BE09" | "BE11" | "BE15" | "BE16" | "BE17" | "BE19" | "BE20" | "BE21" | "BE22" | "CH03" | "CH04" | "DT01" | "DT02" | "DT03" | "DT04" | "DT05" | "DT06" | "TM01" | "DU01" | "DU02" | "DU03" | "DU04" | "DU05" | "DUPL" | "CURR" | "ED01" | "ED05" | "ED06" | "FF01" | "FF02" | "FF03" | "FF04" | "FF05" | "FF06" | "FF07" | "FF08" | "FF10" | "RF01" | "CUST" | "DS02" | "DS04" | "FOCR" | "FR01" | "FRAD" | "MD06" | "MD07" | "MS02" | "MS03" | "NARR" | "NOAS" | "RUTA" | "UPAY" | "CNOR" | "DNOR" | "RC01" | "RC02" | "RC03" | "RC04" | "RC05" | "RC07" | "RC08" | "RC10" | "RC11" | "RR01" | "RR02" | "RR03" | "RR04" | "RR05" | "RR06" | "RR07" | "RR10" | "RR12";
                            reason: string;
                            action: string;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/account/wallet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    page?: number;
                    per_page?: 10 | 25 | 50 | 100 | 250;
                    q?: string;
                    sort?: string;
                    cursor?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            wallets: {
                                id: string;
                                name: string | null;
                                /** @description Account details for incoming transfers. In production, a transfer to one of them funds the wallet. A rail without a number receives nothing. In sandbox and demo they are fictitious and receive nothing. */
                                numbers: {
                                    ACH: {
                                        routing: string;
                                        account: string;
                                    } | null;
                                    RTP: {
                                        routing: string;
                                        account: string;
                                    } | null;
                                    WIRE: {
                                        routing: string;
                                        account: string;
                                    } | null;
                                };
                                date: string;
                                /** @description Available balance in dollars. It excludes money held for payments. */
                                balance: number;
                            }[];
                            page?: number;
                            pages?: number;
                            total?: number;
                        };
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description a text that is not only white space */
                        name?: string | null;
                        /** @enum {string|null} */
                        type?: "INTERNAL" | "EXTERNAL" | null;
                    };
                };
            };
            responses: {
                /** @description Done */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            id: string;
                            name: string | null;
                            /** @description Account details for incoming transfers. In production, a transfer to one of them funds the wallet. A rail without a number receives nothing. In sandbox and demo they are fictitious and receive nothing. */
                            numbers: {
                                ACH: {
                                    routing: string;
                                    account: string;
                                } | null;
                                RTP: {
                                    routing: string;
                                    account: string;
                                } | null;
                                WIRE: {
                                    routing: string;
                                    account: string;
                                } | null;
                            };
                            date: string;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/account/wallet/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            id: string;
                            name: string | null;
                            /** @description Account details for incoming transfers. In production, a transfer to one of them funds the wallet. A rail without a number receives nothing. In sandbox and demo they are fictitious and receive nothing. */
                            numbers: {
                                ACH: {
                                    routing: string;
                                    account: string;
                                } | null;
                                RTP: {
                                    routing: string;
                                    account: string;
                                } | null;
                                WIRE: {
                                    routing: string;
                                    account: string;
                                } | null;
                            };
                            date: string;
                            /** @description Available balance in dollars. It excludes money held for payments. */
                            balance: number;
                        };
                    };
                };
            };
        };
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description a text that is not only white space */
                        name: string | null;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/account/wallet/{id}/transaction": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    page?: number;
                    per_page?: 10 | 25 | 50 | 100 | 250;
                    q?: string;
                    sort?: "+DATE" | "-DATE";
                    cursor?: string;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            transactions: {
                                id: string;
                                date: string;
                                /** @description Dollars. A negative amount left the wallet. */
                                amount: number;
                                /** @description The type of the transaction, as listed in docs/money.md */
                                reason: string;
                                /**
                                 * @description PENDING: held for a payment
                                 * @enum {string}
                                 */
                                status: "PENDING" | "POSTED" | "VOIDED";
                                check_id: string | null;
                            }[];
                            page?: number;
                            pages?: number;
                            total?: number;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/account/card": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    page?: number;
                    per_page?: 10 | 25 | 50 | 100 | 250;
                    q?: string;
                    sort?: string;
                    cursor?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            cards: {
                                id: string;
                                card_number: string;
                                expiration_date: string;
                                name: string | null;
                                default: boolean;
                                date: string;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description 12 to 19 digits */
                        card_number: string;
                        /** @description a month, as YYYY-MM */
                        expiration_date: string;
                        /** @description 3 or 4 digits */
                        cvv?: string | null;
                        address?: {
                            /** @description a text that is not only white space */
                            line_1: string;
                            line_2?: string | null;
                            city?: string | null;
                            state?: string | null;
                            zip?: string | null;
                            country?: string | null;
                        } | null;
                        /** @description a text that is not only white space, or null */
                        name?: string | null;
                    };
                };
            };
            responses: {
                /** @description Done */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            id: string;
                            card_number: string;
                            name: string | null;
                            default: boolean;
                            date: string;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/account/card/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            id: string;
                            card_number: string;
                            expiration_date: string;
                            name: string | null;
                            default: boolean;
                            date: string;
                        };
                    };
                };
            };
        };
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        default?: boolean;
                        /** @description a text that is not only white space, or null */
                        name?: string | null;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/account/paypal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    page?: number;
                    per_page?: 10 | 25 | 50 | 100 | 250;
                    q?: string;
                    sort?: string;
                    cursor?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            accounts: {
                                id: string;
                                name: string | null;
                                date: string;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * Format: name
                         * @description a text that is not only white space
                         */
                        username: string;
                    };
                };
            };
            responses: {
                /** @description Done */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            id: string;
                            name: string | null;
                            date: string;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/account/paypal/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            id: string;
                            name: string | null;
                            date: string;
                        };
                    };
                };
            };
        };
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description a text that is not only white space, or null */
                        name?: string | null;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/account/venmo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    page?: number;
                    per_page?: 10 | 25 | 50 | 100 | 250;
                    q?: string;
                    sort?: string;
                    cursor?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            accounts: {
                                id: string;
                                name: string | null;
                                date: string;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * Format: name
                         * @description a text that is not only white space
                         */
                        username: string;
                    };
                };
            };
            responses: {
                /** @description Done */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            id: string;
                            name: string | null;
                            date: string;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/account/venmo/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            id: string;
                            name: string | null;
                            date: string;
                        };
                    };
                };
            };
        };
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description a text that is not only white space, or null */
                        name?: string | null;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/account/interac": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    page?: number;
                    per_page?: 10 | 25 | 50 | 100 | 250;
                    q?: string;
                    sort?: string;
                    cursor?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            accounts: {
                                id: string;
                                name: string | null;
                                date: string;
                            }[];
                            page?: number;
                            pages?: number;
                            total?: number;
                        };
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * Format: name
                         * @description a text that is not only white space
                         */
                        username: string;
                    };
                };
            };
            responses: {
                /** @description Done */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            id: string;
                            name: string | null;
                            date: string;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/account/interac/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            id: string;
                            name: string | null;
                            date: string;
                        };
                    };
                };
            };
        };
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description a text that is not only white space, or null */
                        name?: string | null;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/account/wire": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    page?: number;
                    per_page?: 10 | 25 | 50 | 100 | 250;
                    q?: string;
                    sort?: string;
                    cursor?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            accounts: {
                                id: string;
                                account: string;
                                routing: string;
                                name: string | null;
                                date: string;
                            }[];
                            page?: number;
                            pages?: number;
                            total?: number;
                        };
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description an account number or IBAN of letters and digits */
                        account: string;
                        /** @description an ABA routing number or a BIC */
                        routing: string;
                        /** @enum {string} */
                        type: "CHECKING" | "SAVINGS" | "BUSINESS";
                        /** @description a text that is not only white space, or null */
                        name?: string | null;
                        /** @description a country of two letters, such as US */
                        country?: string | null;
                        line_1?: string | null;
                        city?: string | null;
                        state?: string | null;
                        zip?: string | null;
                        /** @description a country of two letters. Default: the country of the bank */
                        holder_country?: string | null;
                    };
                };
            };
            responses: {
                /** @description Done */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            id: string;
                            account: string;
                            routing: string;
                            name: string | null;
                            date: string;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/account/wire/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            id: string;
                            account: string;
                            routing: string;
                            name: string | null;
                            date: string;
                        };
                    };
                };
            };
        };
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description a text that is not only white space, or null */
                        name?: string | null;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/account/vcc": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    page?: number;
                    per_page?: 10 | 25 | 50 | 100 | 250;
                    q?: string;
                    sort?: string;
                    cursor?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            vccs: {
                                id: string;
                                /** @description The last four digits */
                                card_number: string;
                                expiration_date: string;
                                /** @description Dollars with two decimals */
                                balance: string;
                                name: string | null;
                                default: boolean;
                                date: string;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        address?: {
                            line_1: string;
                            line_2?: string | null;
                            city: string;
                            state: string;
                            zip: string;
                            country?: string | null;
                        } | null;
                        /**
                         * Format: email
                         * @description an email address
                         */
                        email?: string | null;
                        phone?: string | null;
                    };
                };
            };
            responses: {
                /** @description Done */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            id: string;
                            card_number: string;
                            cvv: string;
                            expiration_date: string;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/account/vcc/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        default?: boolean;
                        /** @description a text that is not only white space, or null */
                        name?: string | null;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/directory": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    page?: number;
                    per_page?: 10 | 25 | 50;
                    q?: string;
                    sort?: "+NAME" | "-NAME" | "+DATE" | "-DATE";
                    cursor?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            entries: {
                                id: string;
                                name: string;
                                email: string | null;
                                address: {
                                    line_1: string | null;
                                    line_2: string | null;
                                    city: string | null;
                                    state: string | null;
                                    zip: string | null;
                                    country: string | null;
                                };
                                accounts: {
                                    id: string;
                                    name: string | null;
                                    /** @description The last four digits */
                                    number: string;
                                    /** @enum {string} */
                                    type: "CARD" | "BANK";
                                }[];
                            }[];
                            page?: number;
                            pages?: number;
                            total?: number;
                        };
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description a text that is not only white space */
                        name: string;
                        /**
                         * Format: email
                         * @description an email address
                         */
                        email?: string | null;
                        address?: {
                            line_1: string;
                            line_2?: string | null;
                            city: string;
                            state: string;
                            zip: string;
                            country?: string | null;
                        } | {
                            /** @enum {null} */
                            line_1: null;
                            /** @enum {null} */
                            line_2?: null;
                            /** @enum {null} */
                            city: null;
                            /** @enum {null} */
                            state: null;
                            /** @enum {null} */
                            zip: null;
                            /** @enum {null} */
                            country?: null;
                        } | null;
                    };
                };
            };
            responses: {
                /** @description Done */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            id: string;
                            name: string;
                            email: string | null;
                            address: {
                                line_1: string | null;
                                line_2: string | null;
                                city: string | null;
                                state: string | null;
                                zip: string | null;
                                country: string | null;
                            };
                            accounts: {
                                id: string;
                                name: string | null;
                                /** @description The last four digits */
                                number: string;
                                /** @enum {string} */
                                type: "CARD" | "BANK";
                            }[];
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/directory/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            id: string;
                            name: string;
                            email: string | null;
                            address: {
                                line_1: string | null;
                                line_2: string | null;
                                city: string | null;
                                state: string | null;
                                zip: string | null;
                                country: string | null;
                            };
                            accounts: {
                                id: string;
                                name: string | null;
                                /** @description The last four digits */
                                number: string;
                                /** @enum {string} */
                                type: "CARD" | "BANK";
                                date: string;
                            }[];
                            date: string;
                            /** @description When the payee or one of its accounts last changed */
                            changed: string;
                            recently_changed: boolean;
                        };
                    };
                };
            };
        };
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description a text that is not only white space */
                        name?: string;
                        /**
                         * Format: email
                         * @description an email address
                         */
                        email?: string | null;
                        address?: {
                            line_1: string;
                            line_2?: string | null;
                            city: string;
                            state: string;
                            zip: string;
                            country?: string | null;
                        } | {
                            /** @enum {null} */
                            line_1: null;
                            /** @enum {null} */
                            line_2?: null;
                            /** @enum {null} */
                            city: null;
                            /** @enum {null} */
                            state: null;
                            /** @enum {null} */
                            zip: null;
                            /** @enum {null} */
                            country?: null;
                        } | null;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/directory/{id}/account/bank": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description an ABA routing number of 9 digits */
                        routing: string;
                        /** @description an account number of 4 to 17 digits */
                        account: string;
                        /** @enum {string} */
                        type: "CHECKING" | "SAVINGS" | "BUSINESS";
                        /** @description a text that is not only white space */
                        name?: string | null;
                    };
                };
            };
            responses: {
                /** @description Done */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            id: string;
                            name: string | null;
                            /** @description The last four digits */
                            number: string;
                            /** @enum {string} */
                            type: "CARD" | "BANK";
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/directory/{id}/account/{account}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                    account: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/operator/statements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            accounts: {
                                bank_account: string;
                                first_day: string;
                                last: {
                                    day: string;
                                    /** @description The opening balance, in dollars */
                                    opening: number;
                                    /** @description The credits, in dollars */
                                    credits: number;
                                    /** @description The debits, positive, in dollars */
                                    debits: number;
                                    /** @description The closing balance, in dollars */
                                    closing: number;
                                    /** @description The balance of the account in the ledger after this day, in dollars */
                                    ledger: number;
                                    /** @description The amount that no line and no earlier statement explains, in dollars */
                                    difference: number;
                                    lines: number;
                                    /** @description Lines that wait for a decision */
                                    waiting: number;
                                    /** @description Whether all of its lines were matched or wait for a decision */
                                    matched: boolean;
                                };
                                /** @description Lines that wait for a decision */
                                waiting: number;
                                /** @description The last day of the latest closed month */
                                closed_to: string | null;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/operator/statements/days": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query: {
                    bank_account: string;
                    month: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            days: {
                                day: string;
                                /** @description The opening balance, in dollars */
                                opening: number;
                                /** @description The credits, in dollars */
                                credits: number;
                                /** @description The debits, positive, in dollars */
                                debits: number;
                                /** @description The closing balance, in dollars */
                                closing: number;
                                /** @description The balance of the account in the ledger after this day, in dollars */
                                ledger: number;
                                /** @description The amount that no line and no earlier statement explains, in dollars */
                                difference: number;
                                lines: number;
                                /** @description Lines that wait for a decision */
                                waiting: number;
                                /** @description Whether all of its lines were matched or wait for a decision */
                                matched: boolean;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/operator/statements/lines": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    q?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            lines: {
                                id: string;
                                bank_account: string;
                                day: string;
                                /** @description Credits are positive, in dollars */
                                amount: number;
                                kind: string;
                                code: string;
                                name: string | null;
                                /** @description Long numbers are masked */
                                text: string;
                                references: string[];
                                /** @description The probable meaning of the line */
                                finding: string;
                                proposals: {
                                    why: string;
                                    /** @description Match the line with these legs */
                                    legs: string[];
                                    /** @description Divide the line into these parts */
                                    parts: {
                                        /** @description The id of a leg, or the name of an account of the operator */
                                        name: string;
                                        /** @description Signed as the line, in dollars */
                                        amount: number;
                                    }[];
                                    payment: string | null;
                                }[];
                            }[];
                            total: number;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/operator/statements/decisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    q?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            lines: {
                                id: string;
                                bank_account: string;
                                day: string;
                                /** @description Credits are positive, in dollars */
                                amount: number;
                                kind: string;
                                code: string;
                                name: string | null;
                                /** @description Long numbers are masked */
                                text: string;
                                references: string[];
                                status: string;
                                action: string;
                                detail: string;
                                why: string | null;
                                /** @description UTC */
                                decided_at: string;
                                decided_by: string;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/operator/statements/lines/{id}/match": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        legs: string[];
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/operator/statements/lines/{id}/split": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        parts: {
                            /** @description The id of a leg or a wallet, or the name of an ACH file or of an account of the operator */
                            name: string;
                            /** @description Dollars, signed as the line */
                            amount: number;
                        }[];
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/operator/statements/lines/{id}/ignore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        why: string;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/operator/statements/lines/{id}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": Record<string, never>;
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/operator/statements/months": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            months: {
                                id: string;
                                bank_account: string;
                                /** @description YYYY-MM */
                                month: string;
                                /** @description The opening balance, in dollars */
                                opening: number;
                                /** @description The closing balance, in dollars */
                                closing: number;
                                lines: number;
                                /** @description UTC */
                                closed_at: string;
                                closed_by: string;
                                /** @description UTC, or null */
                                reopened_at: string | null;
                                reopened_by: string | null;
                                reopened_why: string | null;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query: {
                    q: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            payments: {
                                id: string;
                                name: string;
                                number: string;
                                /** @description Dollars */
                                amount: number;
                                /** @enum {string} */
                                status: "UNPAID" | "IN_PROCESS" | "PAID" | "FAILED" | "PRINTED" | "VOID" | "EXPIRED" | "MAILED" | "REFUNDED";
                                date: string;
                            }[];
                            users: {
                                id: string;
                                user_id: string | null;
                                name: string;
                            }[];
                            is_complete: boolean;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/attention": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            attention: {
                                /** @enum {string} */
                                kind: "payments_failed" | "payments_expiring" | "banks_to_verify" | "users_in_debt" | "webhooks_failing";
                                /** @description The number of items, at most 99 */
                                count: number;
                                /** @description Whether there are more than 99 items */
                                has_more: boolean;
                                /** @description The path that lists the items; null if there is none */
                                link: string | null;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    user?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The time on the clock of the platform */
                            as_of: string;
                            /** @description The number of wallets */
                            wallets: number;
                            /** @description The balance of the wallets, in dollars */
                            balance: number;
                            /** @description The balance of the wallets minus the amount held for payments, in dollars */
                            available: number;
                            /** @description The amount held for payments, in dollars */
                            held: number;
                            /** @description The amount that users owe because debits were returned after the money had been paid out, in dollars */
                            debt: number;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/operator/connections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            connections: {
                                id: string;
                                /** @enum {string} */
                                condition: "connected" | "in_use" | "new" | "failing" | "silent";
                                /** @enum {string} */
                                transport: "folder" | "sftp" | "https";
                                /** @description The folder, the host with its port, or the URL of a processor */
                                place: string;
                                rails: string[];
                                /** @description The reason why the last session failed, or null */
                                problem: string | null;
                                /** @description The last session that succeeded, or the last file that left a folder or arrived in it. UTC, or null */
                                contacted_at: string | null;
                                /** @description UTC, or null */
                                next_try_at: string | null;
                                /** @description UTC, or null */
                                next_cut_off: string | null;
                                files: {
                                    id: string;
                                    /**
                                     * @description out: to the bank
                                     * @enum {string}
                                     */
                                    direction: "out" | "in";
                                    /** @enum {string} */
                                    kind: "ach" | "print" | "stop" | "issue" | "checkbook" | "orders" | "recall" | "paid checks" | "mail" | "mail scan" | "statement" | "order answers";
                                    name: string;
                                    /** @enum {string} */
                                    status: "WRITTEN" | "TRANSMITTED" | "ACCEPTED" | "REJECTED" | "CANCELED" | "RECEIVED" | "READ" | "SET_ASIDE";
                                    /** @description Bytes */
                                    size: number;
                                    /** @description The last change of its status, UTC */
                                    time: string;
                                    /** @description The reason why it needs the operator, or null */
                                    attention: string | null;
                                }[];
                                cases: {
                                    id: string;
                                    text: string;
                                    opened_at: string;
                                }[];
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    page?: number;
                    per_page?: 10 | 25 | 50 | 100 | 250;
                    q?: string;
                    sort?: "+DATE" | "-DATE";
                    cursor?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            audit: {
                                id: string;
                                date: string;
                                /** @enum {string} */
                                action: "sign_up" | "sign_in" | "sign_in_refused" | "sign_out" | "session_ended" | "sessions_ended" | "password_changed" | "password_reset" | "email_changed" | "two_factor_on" | "two_factor_off" | "recovery_codes_renewed" | "recovery_codes_removed" | "recovery_code_used" | "member_invited" | "invitation_revoked" | "member_joined" | "member_role_changed" | "member_removed" | "member_left" | "platform_entered" | "platform_set_up" | "two_factor_rule_on" | "two_factor_rule_off" | "api_key_created" | "api_key_revoked" | "webhook_uri_changed" | "webhook_key_rotated" | "request_bodies_on" | "request_bodies_off" | "endpoint_created" | "endpoint_changed" | "endpoint_enabled" | "endpoint_disabled" | "endpoint_removed" | "webhooks_replayed" | "profile_changed" | "owner_created" | "operator_added" | "operator_removed" | "user_created" | "user_deleted" | "user_verified" | "user_suspended" | "user_closed" | "limits_changed" | "recipient_mail_limited" | "recipient_mail_refused" | "user_status_triggered" | "signature_stored" | "bank_added" | "accounts_confirmed" | "bank_verified" | "bank_default_changed" | "bank_billing_changed" | "bank_removed" | "bank_corrected" | "bank_blocked" | "bank_unblocked" | "wallet_added" | "wallet_removed" | "destination_added" | "destination_default_changed" | "destination_removed" | "directory_entry_added" | "directory_entry_changed" | "directory_entry_removed" | "directory_account_added" | "directory_account_corrected" | "directory_account_removed" | "checkbook_ordered" | "checkbook_canceled" | "checkbook_returned" | "mailbox_opened" | "dual_control_on" | "dual_control_off" | "approval_policy_proposed" | "approval_policy_changed" | "approval_policy_proposal_ended" | "approval_prepared" | "approval_edited" | "approval_approved" | "approval_released" | "approval_rejected" | "approval_expired" | "approval_voided" | "invoice_sent" | "invoice_paid" | "invoice_reminded" | "invoice_link_created" | "invoice_voided" | "subscription_created" | "subscription_changed" | "subscription_canceled" | "autopay_on" | "autopay_off" | "payment_endorsed" | "payment_claimed" | "payment_deposited" | "payment_printed" | "payment_voided" | "payment_recalled" | "clock_advanced" | "debt_settled" | "exception_opened" | "exception_closed" | "exception_applied" | "statement_line_decided" | "master_key_rotated" | "bank_file_late" | "bank_file_accepted" | "bank_file_rejected" | "bank_file_canceled" | "bank_file_resent" | "bank_file_sent_again" | "bank_file_marked_sent" | "bank_file_read_again" | "application_created" | "application_changed" | "application_deleted" | "client_secret_rotated" | "client_secret_shown" | "grant_created" | "grant_denied" | "grant_revoked" | "grant_replayed";
                                /**
                                 * @description owner: a signed-in person
                                 * @enum {string}
                                 */
                                actor: "owner" | "api_key" | "application" | "operator" | "anonymous" | "service";
                                /** @description The ID of the API key, application or session */
                                actor_id: string | null;
                                /** @description The user on whose behalf the actor acted */
                                user_id: string | null;
                                /** @description The ID of the affected object */
                                subject: string | null;
                                /** @description The IP address of the request */
                                address: string | null;
                                user_agent: string | null;
                            }[];
                            /** @description Display names by ID, for the people, users, API keys, applications, accounts and payments in the entries. A session has the name of its person. */
                            names: {
                                [key: string]: string;
                            };
                            page?: number;
                            pages?: number;
                            total?: number;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/request": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    per_page?: 10 | 25 | 50 | 100 | 250;
                    cursor?: string;
                    start_date?: string;
                    end_date?: string;
                    time_zone?: "UTC" | "PLATFORM";
                    id?: string;
                    status?: string;
                    path?: string;
                    key?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            requests: {
                                /** @description The `x-request-id` of the response */
                                id: string;
                                /** @description When the request arrived, in real time even if the clock of the sandbox was advanced */
                                date: string;
                                method: string;
                                /** @description The path without the query string */
                                path: string;
                                /** @description The HTTP status */
                                status: number;
                                /** @description The error code; null for a successful request */
                                code: string | null;
                                duration_ms: number;
                                /** @description The ID of the user on whose behalf the request was made */
                                user: string;
                                /**
                                 * @description session: the dashboard
                                 * @enum {string}
                                 */
                                credential: "api_key" | "session" | "token";
                                /** @description The ID of the API key or application. Null for the dashboard */
                                key: string | null;
                                /** @description The IP address of the client */
                                address: string;
                                /** @description The ID of the payment that the request made or named */
                                payment: string | null;
                            }[];
                            searched_to: string | null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/request/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The `x-request-id` of the response */
                            id: string;
                            /** @description When the request arrived, in real time even if the clock of the sandbox was advanced */
                            date: string;
                            method: string;
                            /** @description The path without the query string */
                            path: string;
                            /** @description The HTTP status */
                            status: number;
                            /** @description The error code; null for a successful request */
                            code: string | null;
                            duration_ms: number;
                            /** @description The ID of the user on whose behalf the request was made */
                            user: string;
                            /**
                             * @description session: the dashboard
                             * @enum {string}
                             */
                            credential: "api_key" | "session" | "token";
                            /** @description The ID of the API key or application. Null for the dashboard */
                            key: string | null;
                            /** @description The IP address of the client */
                            address: string;
                            /** @description The ID of the payment that the request made or named */
                            payment: string | null;
                            /** @description The body as JSON. Secrets, account numbers and other long numbers are `****`. Null if it was not kept. Bodies above 16 KiB and invalid JSON are never kept. */
                            body: string | null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/request/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Whether the bodies of requests are kept for seven days. Default: false. */
                            keeps_bodies: boolean;
                        };
                    };
                };
            };
        };
        put: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description Whether the bodies of requests are kept for seven days. Default: false. */
                        keeps_bodies: boolean;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Whether the bodies of requests are kept for seven days. Default: false. */
                            keeps_bodies: boolean;
                        };
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web/v1/mail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            mails: {
                                id: string;
                                to: string;
                                subject: string;
                                text: string;
                                date: string;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/check/webhook/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @enum {string} */
                        status: "UNPAID" | "IN_PROCESS" | "PAID" | "FAILED" | "PRINTED" | "VOID" | "EXPIRED" | "MAILED" | "REFUNDED";
                        options?: {
                            /** @enum {string} */
                            return_code?: "R01" | "R02" | "R03" | "A" | "B" | "C" | "D" | "04" | "05" | "06" | "R901";
                        };
                    };
                };
            };
            responses: {
                /** @description Done */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/sandbox/wallet/{id}/fund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description Dollars, at least 0.01, with at most two decimals */
                        amount: number;
                    };
                };
            };
            responses: {
                /** @description Done */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            id: string;
                            name: string | null;
                            /** @description Account details for incoming transfers. In production, a transfer to one of them funds the wallet. A rail without a number receives nothing. In sandbox and demo they are fictitious and receive nothing. */
                            numbers: {
                                ACH: {
                                    routing: string;
                                    account: string;
                                } | null;
                                RTP: {
                                    routing: string;
                                    account: string;
                                } | null;
                                WIRE: {
                                    routing: string;
                                    account: string;
                                } | null;
                            };
                            date: string;
                            /** @description Available balance in dollars. It excludes money held for payments. */
                            balance: number;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v3/sandbox/clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The time of the platform, UTC */
                            now: string;
                            /** @enum {string} */
                            status: "ready" | "advancing";
                            /** @description The time that the clock is advancing to */
                            target: string | null;
                        };
                    };
                };
            };
        };
        put: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description an ISO 8601 duration, such as P3D or PT12H, or next_banking_day: 8:30 Eastern time, when entries settle */
                        advance?: string;
                        /** @description a time, as YYYY-MM-DD HH:MM:SS (UTC) */
                        now?: string;
                    };
                };
            };
            responses: {
                /** @description Done */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The time of the platform, UTC */
                            now: string;
                            /** @enum {string} */
                            status: "ready" | "advancing";
                            /** @description The time that the clock is advancing to */
                            target: string | null;
                        };
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: never;
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
