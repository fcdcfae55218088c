#!/usr/bin/env node
import { host } from '../dist/bundle/host.js';

process.exitCode = await host(process.argv.slice(2));
